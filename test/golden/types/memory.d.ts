// index.d.ts
export { __meta__ } from "./meta.js";
export { add_observations, type AddObservationsInput, type AddObservationsOutput } from "./tools/add_observations.js";
export { create_entities, type CreateEntitiesInput, type CreateEntitiesOutput } from "./tools/create_entities.js";
export { create_relations, type CreateRelationsInput, type CreateRelationsOutput } from "./tools/create_relations.js";
export { delete_entities, type DeleteEntitiesInput, type DeleteEntitiesOutput } from "./tools/delete_entities.js";
export { delete_observations, type DeleteObservationsInput, type DeleteObservationsOutput } from "./tools/delete_observations.js";
export { delete_relations, type DeleteRelationsInput, type DeleteRelationsOutput } from "./tools/delete_relations.js";
export { open_nodes, type OpenNodesInput, type OpenNodesOutput } from "./tools/open_nodes.js";
export { read_graph, type ReadGraphInput, type ReadGraphOutput } from "./tools/read_graph.js";
export { search_nodes, type SearchNodesInput, type SearchNodesOutput } from "./tools/search_nodes.js";

// tools/add_observations.d.ts
export interface AddObservationsInput {
  observations: {
    /** An array of observation contents to add */
    contents: string[];
    /** The name of the entity to add the observations to */
    entityName: string;
  }[];
}

export interface AddObservationsOutput {
  results: {
    addedObservations: string[];
    entityName: string;
  }[];
}

/**
 * Add new observations to existing entities in the knowledge graph
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function add_observations(input: AddObservationsInput): Promise<AddObservationsOutput>;

// tools/create_entities.d.ts
export interface CreateEntitiesInput {
  entities: {
    /** The type of the entity */
    entityType: string;
    /** The name of the entity */
    name: string;
    /** An array of observation contents associated with the entity */
    observations: string[];
  }[];
}

export interface CreateEntitiesOutput {
  entities: {
    /** The type of the entity */
    entityType: string;
    /** The name of the entity */
    name: string;
    /** An array of observation contents associated with the entity */
    observations: string[];
  }[];
}

/**
 * Create multiple new entities in the knowledge graph
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function create_entities(input: CreateEntitiesInput): Promise<CreateEntitiesOutput>;

// tools/create_relations.d.ts
export interface CreateRelationsInput {
  relations: {
    /** The name of the entity where the relation starts */
    from: string;
    /** The type of the relation */
    relationType: string;
    /** The name of the entity where the relation ends */
    to: string;
  }[];
}

export interface CreateRelationsOutput {
  relations: {
    /** The name of the entity where the relation starts */
    from: string;
    /** The type of the relation */
    relationType: string;
    /** The name of the entity where the relation ends */
    to: string;
  }[];
}

/**
 * Create multiple new relations between entities in the knowledge graph. Relations should be in active voice
 *
 * Annotations: not read-only, not destructive, not idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function create_relations(input: CreateRelationsInput): Promise<CreateRelationsOutput>;

// tools/delete_entities.d.ts
export interface DeleteEntitiesInput {
  /** An array of entity names to delete */
  entityNames: string[];
}

export interface DeleteEntitiesOutput {
  message: string;
  success: boolean;
}

/**
 * Delete multiple entities and their associated relations from the knowledge graph
 *
 * Annotations: not read-only, destructive, idempotent, closed world.
 *
 * @param input.entityNames - An array of entity names to delete
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function delete_entities(input: DeleteEntitiesInput): Promise<DeleteEntitiesOutput>;

// tools/delete_observations.d.ts
export interface DeleteObservationsInput {
  deletions: {
    /** The name of the entity containing the observations */
    entityName: string;
    /** An array of observations to delete */
    observations: string[];
  }[];
}

export interface DeleteObservationsOutput {
  message: string;
  success: boolean;
}

/**
 * Delete specific observations from entities in the knowledge graph
 *
 * Annotations: not read-only, destructive, idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function delete_observations(input: DeleteObservationsInput): Promise<DeleteObservationsOutput>;

// tools/delete_relations.d.ts
export interface DeleteRelationsInput {
  /** An array of relations to delete */
  relations: {
    /** The name of the entity where the relation starts */
    from: string;
    /** The type of the relation */
    relationType: string;
    /** The name of the entity where the relation ends */
    to: string;
  }[];
}

export interface DeleteRelationsOutput {
  message: string;
  success: boolean;
}

/**
 * Delete multiple relations from the knowledge graph
 *
 * Annotations: not read-only, destructive, idempotent, closed world.
 *
 * @param input.relations - An array of relations to delete
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function delete_relations(input: DeleteRelationsInput): Promise<DeleteRelationsOutput>;

// tools/open_nodes.d.ts
export interface OpenNodesInput {
  /** An array of entity names to retrieve */
  names: string[];
}

export interface OpenNodesOutput {
  entities: {
    /** The type of the entity */
    entityType: string;
    /** The name of the entity */
    name: string;
    /** An array of observation contents associated with the entity */
    observations: string[];
  }[];
  relations: {
    /** The name of the entity where the relation starts */
    from: string;
    /** The type of the relation */
    relationType: string;
    /** The name of the entity where the relation ends */
    to: string;
  }[];
}

/**
 * Open specific nodes in the knowledge graph by their names
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.names - An array of entity names to retrieve
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function open_nodes(input: OpenNodesInput): Promise<OpenNodesOutput>;

// tools/read_graph.d.ts
export interface ReadGraphInput {
  [k: string]: unknown;
}

export interface ReadGraphOutput {
  entities: {
    /** The type of the entity */
    entityType: string;
    /** The name of the entity */
    name: string;
    /** An array of observation contents associated with the entity */
    observations: string[];
  }[];
  relations: {
    /** The name of the entity where the relation starts */
    from: string;
    /** The type of the relation */
    relationType: string;
    /** The name of the entity where the relation ends */
    to: string;
  }[];
}

/**
 * Read the entire knowledge graph
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function read_graph(input?: ReadGraphInput): Promise<ReadGraphOutput>;

// tools/search_nodes.d.ts
export interface SearchNodesInput {
  /** The search query to match against entity names, types, and observation content */
  query: string;
}

export interface SearchNodesOutput {
  entities: {
    /** The type of the entity */
    entityType: string;
    /** The name of the entity */
    name: string;
    /** An array of observation contents associated with the entity */
    observations: string[];
  }[];
  relations: {
    /** The name of the entity where the relation starts */
    from: string;
    /** The type of the relation */
    relationType: string;
    /** The name of the entity where the relation ends */
    to: string;
  }[];
}

/**
 * Search for nodes in the knowledge graph based on a query
 *
 * Annotations: read-only, not destructive, idempotent, closed world.
 *
 * @param input.query - The search query to match against entity names, types, and observation content
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function search_nodes(input: SearchNodesInput): Promise<SearchNodesOutput>;

// sha256-eUSvOZ0tpNWHgUfCXjkmE7OEbl2f0EhrtlBFSjZfk94= of all files of the package
// 00e277838012 index.js
// b477aa737b9c meta.d.ts
// 8be6eae3077e meta.js
// 90a3c185b835 tools.json
// ca67153da280 tools/add_observations.js
// 6f495d89eeb2 tools/add_observations.validator.js
// c15f771bcac2 tools/create_entities.js
// bed5c3cb1339 tools/create_entities.validator.js
// 9125a26fd198 tools/create_relations.js
// 51c984e5c812 tools/create_relations.validator.js
// 0da167676874 tools/delete_entities.js
// dfde6794ab03 tools/delete_entities.validator.js
// ebab7532859d tools/delete_observations.js
// 6a90cf452930 tools/delete_observations.validator.js
// 8fd7130379e0 tools/delete_relations.js
// 51c984e5c812 tools/delete_relations.validator.js
// c8cb0e5f29d3 tools/open_nodes.js
// ffbd02168d43 tools/open_nodes.validator.js
// 2e8eb35d336a tools/read_graph.js
// cdb492bb99b9 tools/read_graph.validator.js
// ce28def2e62c tools/search_nodes.js
// 5a4897a5b1fd tools/search_nodes.validator.js
