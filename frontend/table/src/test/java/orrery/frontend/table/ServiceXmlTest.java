package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import orrery.model.Bytes;
import orrery.model.resource.TableServiceProperties;

class ServiceXmlTest {
    /** The service takes only properties that it can keep. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <DefaultServiceVersion>2019-02-02</DefaultServiceVersion> | has no DefaultServiceVersion.
                    <Cors/><Cors/>                                            | has an element twice.
                    <Cors>*</Cors>                                            | has a text and should have elements.
                    <Cors/>x                                                  | has a text beside its elements.
                    <Cors><Rule/></Cors>                                      | Cors has no Rule.
                    """)
    void refusesWhatItDoesNotKeep(String content, String reason) {
        Bytes body =
                Bytes.ofUtf8(
                        "<StorageServiceProperties>" + content + "</StorageServiceProperties>");
        assertThatThrownBy(() -> ServiceXml.read(body, TableServiceProperties.DEFAULT))
                .isInstanceOf(TableException.class)
                .hasMessageContaining(reason);
    }
}
