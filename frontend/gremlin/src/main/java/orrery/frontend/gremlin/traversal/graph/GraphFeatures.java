package orrery.frontend.gremlin.traversal.graph;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/** Our graphs have texts for ids and the values of JSON, and no transactions. */
public final class GraphFeatures implements Graph.Features {
    @Override
    public Graph.Features.GraphFeatures graph() {
        return new OfGraph();
    }

    @Override
    public Graph.Features.VertexFeatures vertex() {
        return new OfVertices();
    }

    @Override
    public Graph.Features.EdgeFeatures edge() {
        return new OfEdges();
    }

    @Override
    public String toString() {
        return StringFactory.featureString(this);
    }

    public static final class OfGraph implements Graph.Features.GraphFeatures {
        @Override
        public boolean supportsComputer() {
            return false;
        }

        @Override
        public boolean supportsTransactions() {
            return false;
        }

        @Override
        public boolean supportsThreadedTransactions() {
            return false;
        }

        @Override
        public boolean supportsConcurrentAccess() {
            return true;
        }

        @Override
        public boolean supportsIoRead() {
            return false;
        }

        @Override
        public boolean supportsIoWrite() {
            return false;
        }

        @Override
        public Graph.Features.VariableFeatures variables() {
            return new NoVariables();
        }
    }

    public static final class NoVariables implements Graph.Features.VariableFeatures {
        @Override
        public boolean supportsVariables() {
            return false;
        }

        @Override
        public boolean supportsBooleanValues() {
            return false;
        }

        @Override
        public boolean supportsByteValues() {
            return false;
        }

        @Override
        public boolean supportsDoubleValues() {
            return false;
        }

        @Override
        public boolean supportsFloatValues() {
            return false;
        }

        @Override
        public boolean supportsIntegerValues() {
            return false;
        }

        @Override
        public boolean supportsLongValues() {
            return false;
        }

        @Override
        public boolean supportsMapValues() {
            return false;
        }

        @Override
        public boolean supportsMixedListValues() {
            return false;
        }

        @Override
        public boolean supportsBooleanArrayValues() {
            return false;
        }

        @Override
        public boolean supportsByteArrayValues() {
            return false;
        }

        @Override
        public boolean supportsDoubleArrayValues() {
            return false;
        }

        @Override
        public boolean supportsFloatArrayValues() {
            return false;
        }

        @Override
        public boolean supportsIntegerArrayValues() {
            return false;
        }

        @Override
        public boolean supportsStringArrayValues() {
            return false;
        }

        @Override
        public boolean supportsLongArrayValues() {
            return false;
        }

        @Override
        public boolean supportsSerializableValues() {
            return false;
        }

        @Override
        public boolean supportsStringValues() {
            return false;
        }

        @Override
        public boolean supportsUniformListValues() {
            return false;
        }
    }

    /** The common part of vertices and edges. */
    public abstract static class OfElements implements Graph.Features.ElementFeatures {
        @Override
        public boolean supportsNullPropertyValues() {
            return false;
        }

        @Override
        public boolean supportsNumericIds() {
            return false;
        }

        @Override
        public boolean supportsUuidIds() {
            return false;
        }

        @Override
        public boolean supportsCustomIds() {
            return false;
        }

        @Override
        public boolean supportsAnyIds() {
            return false;
        }

        @Override
        public boolean willAllowId(Object id) {
            return id instanceof String;
        }
    }

    public static final class OfVertices extends OfElements
            implements Graph.Features.VertexFeatures {
        @Override
        public VertexProperty.Cardinality getCardinality(String key) {
            return VertexProperty.Cardinality.single;
        }

        @Override
        public Graph.Features.VertexPropertyFeatures properties() {
            return new OfVertexProperties();
        }
    }

    public static final class OfEdges extends OfElements implements Graph.Features.EdgeFeatures {
        @Override
        public Graph.Features.EdgePropertyFeatures properties() {
            return new OfEdgeProperties();
        }
    }

    /** The types of values that an item has no form for. */
    public abstract static class Values implements Graph.Features.PropertyFeatures {
        @Override
        public boolean supportsMapValues() {
            return false;
        }

        @Override
        public boolean supportsMixedListValues() {
            return false;
        }

        @Override
        public boolean supportsBooleanArrayValues() {
            return false;
        }

        @Override
        public boolean supportsByteArrayValues() {
            return false;
        }

        @Override
        public boolean supportsDoubleArrayValues() {
            return false;
        }

        @Override
        public boolean supportsFloatArrayValues() {
            return false;
        }

        @Override
        public boolean supportsIntegerArrayValues() {
            return false;
        }

        @Override
        public boolean supportsStringArrayValues() {
            return false;
        }

        @Override
        public boolean supportsLongArrayValues() {
            return false;
        }

        @Override
        public boolean supportsSerializableValues() {
            return false;
        }

        @Override
        public boolean supportsUniformListValues() {
            return false;
        }
    }

    public static final class OfVertexProperties extends Values
            implements Graph.Features.VertexPropertyFeatures {
        @Override
        public boolean supportsNullPropertyValues() {
            return false;
        }

        @Override
        public boolean supportsNumericIds() {
            return false;
        }

        @Override
        public boolean supportsUuidIds() {
            return false;
        }

        @Override
        public boolean supportsCustomIds() {
            return false;
        }

        @Override
        public boolean supportsAnyIds() {
            return false;
        }

        @Override
        public boolean willAllowId(Object id) {
            return id instanceof String;
        }
    }

    public static final class OfEdgeProperties extends Values
            implements Graph.Features.EdgePropertyFeatures {}
}
