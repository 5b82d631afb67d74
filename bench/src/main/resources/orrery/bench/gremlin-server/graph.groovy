graph.createIndex('team', Vertex.class)
def globals = [:]
globals << [g: traversal().withEmbedded(graph)]
