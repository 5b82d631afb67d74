@echo off
rem Starts Orrery from this distribution. `orrery --help` lists the commands.
rem Environment: ORRERY_JAVA_HOME  the JDK to use, instead of the one bundled or found
rem              ORRERY_OPTS       further JVM flags, for example -Xmx4g
rem              ORRERY_AOT=off    neither use a start-up cache nor make one
setlocal EnableExtensions EnableDelayedExpansion

for %%d in ("%~dp0..") do set "ORRERY_DIST=%%~fd"
set "ORRERY_HELP=%ORRERY_DIST%\help"

rem ---- Help needs no JVM; see bin/help.sh. Typing errors go to the JVM, which explains them. ----
if "%~1"=="" goto overview
if "%~1"=="-h" goto help
if "%~1"=="--help" goto help
if "%~1"=="-V" goto version
if "%~1"=="--version" goto version
if "%~1"=="version" goto version
set "ORRERY_PAGE="
if "%~1"=="help" (
    if "%~2"=="" goto help
    set "ORRERY_PAGE=%~2"
    if not "%~3"=="" set "ORRERY_PAGE=%~2.%~3"
)
if "%~2"=="--help" set "ORRERY_PAGE=%~1"
if "%~2"=="-h" set "ORRERY_PAGE=%~1"
if "%~3"=="--help" set "ORRERY_PAGE=%~1.%~2"
if "%~3"=="-h" set "ORRERY_PAGE=%~1.%~2"
if defined ORRERY_PAGE if exist "%ORRERY_HELP%\%ORRERY_PAGE%.txt" (
    type "%ORRERY_HELP%\%ORRERY_PAGE%.txt"
    exit /b 0
)

rem ---- A JDK 25 or newer, by the file `release` in its directory ----
set "ORRERY_JAVA="
if defined ORRERY_JAVA_HOME (
    call :consider "%ORRERY_JAVA_HOME%"
    if not defined ORRERY_JAVA (
        echo orrery: ORRERY_JAVA_HOME is %ORRERY_JAVA_HOME%, which is not a JDK 25 or newer. 1>&2
        exit /b 1
    )
)
if not defined ORRERY_JAVA call :consider "%ORRERY_DIST%\runtime"
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

rem A server makes the start-up cache in the background. The JVM ignores one that does not fit.
set "ORRERY_CACHE=%ORRERY_DIST%\lib\aot\orrery.aot"
set "ORRERY_AOT_FLAG="
if /i not "%ORRERY_AOT%"=="off" if exist "%ORRERY_CACHE%" set ORRERY_AOT_FLAG="-XX:AOTCache=%ORRERY_CACHE%" -Xlog:aot*=off

"%ORRERY_JAVA%\bin\java.exe" "@%ORRERY_DIST%\bin\jvm.options" %ORRERY_AOT_FLAG% %ORRERY_FLAGS% %ORRERY_OPTS% -cp "%ORRERY_CP%" orrery.server.Main %*
exit /b %ERRORLEVEL%

:overview
type "%ORRERY_HELP%\overview.txt"
exit /b 0

:help
type "%ORRERY_HELP%\orrery.txt"
exit /b 0

:version
set "ORRERY_VERSION=unknown"
if exist "%ORRERY_DIST%\VERSION" set /p ORRERY_VERSION=<"%ORRERY_DIST%\VERSION"
echo Orrery %ORRERY_VERSION%
exit /b 0

:consider
if not exist "%~1\bin\java.exe" exit /b
if not exist "%~1\release" exit /b
for /f "tokens=2 delims==" %%v in ('findstr /b "JAVA_VERSION=" "%~1\release"') do (
    for /f "tokens=1 delims=.-+" %%m in ("%%~v") do if %%m GEQ 25 set "ORRERY_JAVA=%~f1"
)
exit /b
