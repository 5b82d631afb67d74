@echo off
rem Starts Orrery from this distribution. `orrery --help` lists the commands.
rem Environment: ORRERY_JAVA_HOME  the JDK to use, instead of the one found
rem              ORRERY_OPTS       further JVM flags, for example -Xmx4g
rem              ORRERY_AOT=off    start without a prepared start-up cache
setlocal EnableExtensions EnableDelayedExpansion

for %%d in ("%~dp0..") do set "ORRERY_DIST=%%~fd"

rem ---- A JDK 25 or newer, by the file `release` in its directory ----
set "ORRERY_JAVA="
if defined ORRERY_JAVA_HOME (
    call :consider "%ORRERY_JAVA_HOME%"
    if not defined ORRERY_JAVA (
        echo orrery: ORRERY_JAVA_HOME is %ORRERY_JAVA_HOME%, which is not a JDK 25 or newer. 1>&2
        exit /b 1
    )
)
if not defined ORRERY_JAVA if defined JAVA_HOME call :consider "%JAVA_HOME%"
if not defined ORRERY_JAVA for /f "delims=" %%j in ('where java 2^>nul') do if not defined ORRERY_JAVA call :consider "%%~dpj.."
if not defined ORRERY_JAVA for %%b in ("%ProgramFiles%\Eclipse Adoptium" "%ProgramFiles%\Java" "%ProgramFiles%\Microsoft" "%ProgramFiles%\Zulu" "%ProgramFiles%\Amazon Corretto" "%ProgramFiles%\BellSoft" "%USERPROFILE%\.jdks" "%USERPROFILE%\scoop\apps") do (
    if exist "%%~b" for /d %%j in ("%%~b\*") do if not defined ORRERY_JAVA call :consider "%%~fj"
)
if not defined ORRERY_JAVA (
    echo orrery: no JDK 25 or newer found; install one ^(for example Eclipse Temurin 25^), or set ORRERY_JAVA_HOME to its directory. 1>&2
    exit /b 1
)

rem The start-up cache is valid only for the same jars in the same order.
set "ORRERY_CP="
for /f "delims=" %%j in ('dir /b /on "%ORRERY_DIST%\lib\*.jar"') do set "ORRERY_CP=!ORRERY_CP!;%ORRERY_DIST%\lib\%%j"
set "ORRERY_CP=%ORRERY_CP:~1%"
set "ORRERY_FLAGS=-Dorrery.home="%ORRERY_DIST%" -Dorrery.native.dir="%ORRERY_DIST%\lib\native""

rem ---- The start-up cache; see bin/orrery. The JVM ignores one that does not fit, so nothing here can stop a start. ----
set "ORRERY_CACHE=%ORRERY_DIST%\lib\aot\orrery.aot"
set "ORRERY_AOT_FLAG="
if /i not "%ORRERY_AOT%"=="off" if not "%~1"=="train" (
    if "%~1"=="start" call :train
    if "%~1"=="prepare" (
        call :train
        exit /b 0
    )
    if exist "%ORRERY_CACHE%" set ORRERY_AOT_FLAG="-XX:AOTCache=%ORRERY_CACHE%" -Xlog:aot*=off
)

"%ORRERY_JAVA%\bin\java.exe" "@%ORRERY_DIST%\bin\jvm.options" %ORRERY_AOT_FLAG% %ORRERY_FLAGS% %ORRERY_OPTS% -cp "%ORRERY_CP%" orrery.server.Main %*
exit /b %ERRORLEVEL%

:consider
if not exist "%~1\bin\java.exe" exit /b
if not exist "%~1\release" exit /b
for /f "tokens=2 delims==" %%v in ('findstr /b "JAVA_VERSION=" "%~1\release"') do (
    for /f "tokens=1 delims=.-+" %%m in ("%%~v") do if %%m GEQ 25 set "ORRERY_JAVA=%~f1"
)
exit /b

:train
if exist "%ORRERY_DIST%\lib\aot\release" (
    fc /b "%ORRERY_JAVA%\release" "%ORRERY_DIST%\lib\aot\release" >nul 2>&1 && exit /b
)
if not exist "%ORRERY_DIST%\lib\aot" mkdir "%ORRERY_DIST%\lib\aot" 2>nul
if exist "%ORRERY_CACHE%" del "%ORRERY_CACHE%"
echo orrery: preparing the start-up cache (once per JDK) ... 1>&2
"%ORRERY_JAVA%\bin\java.exe" "@%ORRERY_DIST%\bin\jvm.options" "-XX:AOTCacheOutput=%ORRERY_CACHE%" %ORRERY_FLAGS% -cp "%ORRERY_CP%" orrery.server.Main train >"%ORRERY_DIST%\lib\aot\log" 2>&1 <nul
copy /y "%ORRERY_JAVA%\release" "%ORRERY_DIST%\lib\aot\release" >nul 2>&1
exit /b
