package orrery.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TablePathTest {
    private static TablePath parse(String path) {
        return TablePath.parse(path, false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    /                                             | Service[]
                    /Tables                                       | Tables[]
                    /Tables()                                     | Tables[]
                    /tables                                       | Tables[]
                    //Tables                                      | Tables[]
                    /Tables('People')                             | Table[name=People]
                    /Tables(%27People%27)                         | Table[name=People]
                    /$batch                                       | Batch[]
                    /%24batch                                     | Batch[]
                    /People                                       | Entities[table=People]
                    /People()                                     | Entities[table=People]
                    /people                                       | Entities[table=people]
                    /People(PartitionKey='a',RowKey='b')          | Entity[table=People, partitionKey=a, rowKey=b]
                    /People(RowKey='b',PartitionKey='a')          | Entity[table=People, partitionKey=a, rowKey=b]
                    /People(PartitionKey='a', RowKey='b')         | Entity[table=People, partitionKey=a, rowKey=b]
                    /People(PartitionKey='',RowKey='')            | Entity[table=People, partitionKey=, rowKey=]
                    /People(PartitionKey='a',RowKey='1''%20%C3%A9') | Entity[table=People, partitionKey=a, rowKey=1' é]
                    /People(PartitionKey='''',RowKey='''a''''')   | Entity[table=People, partitionKey=', rowKey='a'']
                    /People(PartitionKey='a%27%27b',RowKey='+')   | Entity[table=People, partitionKey=a'b, rowKey=+]
                    /People(PartitionKey='),(',RowKey='(x)=')     | Entity[table=People, partitionKey=),(, rowKey=(x)=]
                    /People%28PartitionKey%3D'a'%2CRowKey%3D'b'%29 | Entity[table=People, partitionKey=a, rowKey=b]
                    """)
    void readsWhatIsAddressed(String path, String target) {
        assertThat(parse(path).target()).hasToString(target);
        assertThat(parse(path).account()).isEmpty();
        // The same behind the name of an account.
        TablePath styled = parse("/devstoreaccount1" + path);
        if (!path.equals("/")) {
            assertThat(styled.target()).hasToString(target);
            assertThat(styled.account()).hasValue("devstoreaccount1");
        }
        assertThat(styled.sent()).isEqualTo("/devstoreaccount1" + path);
    }

    @Test
    void findsTheServiceWithAndWithoutASlash() {
        for (String path : new String[] {"/devstoreaccount1", "/devstoreaccount1/"}) {
            TablePath parsed = TablePath.parse(path, true);
            assertThat(parsed.target()).isEqualTo(new TablePath.Service());
            assertThat(parsed.account()).hasValue("devstoreaccount1");
        }
        assertThat(TablePath.parse("/", true).account()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a/b/c",
                "/People(",
                "/People(PartitionKey='a',RowKey='b'",
                "/People(PartitionKey='a')",
                "/People(PartitionKey='a',RowKey='b',RowKey='c')",
                "/People(PartitionKey='a',PartitionKey='b')",
                "/People(PartitionKey='a',RowKey=b)",
                "/People(PartitionKey='a',RowKey='b)",
                "/People(PartitionKey='a'RowKey='b')",
                "/People(partitionkey='a',rowkey='b')",
                "/People('a')",
                "/People('a'x)",
                "/Tables(PartitionKey='a',RowKey='b')",
                "/People(PartitionKey='a',RowKey='b')x",
                "/People%",
                "/People%2",
                "/People%zz",
                "/People%C3",
            })
    void refusesWhatIsNoPath(String path) {
        TableException refusal = catchThrowableOfType(TableException.class, () -> parse(path));
        assertThat(refusal.code().status()).as(path).isEqualTo(400);
    }
}
