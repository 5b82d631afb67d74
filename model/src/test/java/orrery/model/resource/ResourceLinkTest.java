package orrery.model.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import orrery.model.ResourceId;
import orrery.model.resource.ResourceLink.Child;
import orrery.model.resource.ResourceLink.ChildKind;

final class ResourceLinkTest {
    private static final String CONTAINER = "dbs/AQAAAA==/colls/AQAAAIAAAAE=";

    @Test
    void aContainerByName() {
        ResourceLink link = ResourceLink.parse("dbs/my db/colls/tenants").orElseThrow();

        assertThat(link).isEqualTo(new ResourceLink("my db", "tenants", Optional.empty()));
        assertThat(link.isByRid()).isFalse();
        assertThat(link.containerRid()).isEmpty();
    }

    @Test
    void slashesAroundItDoNotCount() {
        assertThat(ResourceLink.parse("/dbs/d/colls/c/"))
                .isEqualTo(ResourceLink.parse("dbs/d/colls/c"));
    }

    @Test
    void aContainerByRid() {
        ResourceLink link = ResourceLink.parse(CONTAINER + "/").orElseThrow();

        assertThat(link.isByRid()).isTrue();
        assertThat(link.containerRid()).contains(ResourceId.ofContainer(1, 1));
    }

    @Test
    void whatAContainerHolds() {
        assertThat(ResourceLink.parse("dbs/d/colls/c/docs/1").orElseThrow().child())
                .contains(new Child(ChildKind.ITEM, "1"));
        assertThat(ResourceLink.parse("dbs/d/colls/c/sprocs/p").orElseThrow().child())
                .contains(new Child(ChildKind.PROCEDURE, "p"));
        assertThat(
                        ResourceLink.parse(CONTAINER + "/docs/" + ResourceId.ofItem(1, 1, 7))
                                .flatMap(ResourceLink::child))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "dbs",
                "dbs/d",
                "dbs/d/colls",
                "dbs/d/colls/",
                "dbs//colls/c",
                "dbs/d/colls/c//",
                "dbs/d/users/u",
                "colls/c/dbs/d",
                "dbs/d/colls/c/docs",
                "dbs/d/colls/c/things/1",
                "dbs/d/colls/c/docs/1/attachments/2",
                "dbs/AQAAAA==/colls/name", // a rid, then a name
                "dbs/AgAAAA==/colls/AQAAAIAAAAE=", // the rid of another database
                CONTAINER + "/docs/name",
                CONTAINER + "/docs/AQAAAIAAAAIBAAAAAAAAAA==" // in another container
            })
    void everythingElseIsNone(String text) {
        assertThat(ResourceLink.parse(text)).isEmpty();
    }
}
