// index.d.ts
export { __meta__ } from "./meta.js";
export { create_comment, type CreateCommentInput, type CreateCommentOutput } from "./tools/create_comment.js";
export { create_field, type CreateFieldInput, type CreateFieldOutput } from "./tools/create_field.js";
export { create_record, type CreateRecordInput, type CreateRecordOutput } from "./tools/create_record.js";
export { create_table, type CreateTableInput, type CreateTableOutput } from "./tools/create_table.js";
export { delete_records, type DeleteRecordsInput, type DeleteRecordsOutput } from "./tools/delete_records.js";
export { describe_table, type DescribeTableInput, type DescribeTableOutput } from "./tools/describe_table.js";
export { get_record, type GetRecordInput, type GetRecordOutput } from "./tools/get_record.js";
export { list_bases, type ListBasesInput, type ListBasesOutput } from "./tools/list_bases.js";
export { list_comments, type ListCommentsInput, type ListCommentsOutput } from "./tools/list_comments.js";
export { list_records, type ListRecordsInput, type ListRecordsOutput } from "./tools/list_records.js";
export { list_tables, type ListTablesInput, type ListTablesOutput } from "./tools/list_tables.js";
export { search_records, type SearchRecordsInput, type SearchRecordsOutput } from "./tools/search_records.js";
export { update_field, type UpdateFieldInput, type UpdateFieldOutput } from "./tools/update_field.js";
export { update_records, type UpdateRecordsInput, type UpdateRecordsOutput } from "./tools/update_records.js";
export { update_table, type UpdateTableInput, type UpdateTableOutput } from "./tools/update_table.js";
export { upload_attachment, type UploadAttachmentInput, type UploadAttachmentOutput } from "./tools/upload_attachment.js";

// tools/create_comment.d.ts
export interface CreateCommentInput {
  /** The ID of the base */
  baseId: string;
  /** The ID of the record */
  recordId: string;
  /** The ID or name of the table */
  tableId: string;
  /** The comment text */
  text: string;
  /** Optional parent comment ID for threaded replies */
  parentCommentId?: string;
}

export interface CreateCommentOutput {
  comment: {
    author: {
      email: string;
      id: string;
      name?: string;
    };
    createdTime: string;
    id: string;
    lastUpdatedTime: string | null;
    text: string;
    parentCommentId?: string;
  };
}

/**
 * Create a comment on a record
 *
 * Annotations: not read-only, not destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.recordId - The ID of the record
 * @param input.tableId - The ID or name of the table
 * @param input.text - The comment text
 * @param input.parentCommentId - Optional parent comment ID for threaded replies
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function create_comment(input: CreateCommentInput): Promise<CreateCommentOutput>;

// tools/create_field.d.ts
export interface CreateFieldInput {
  /** The ID of the base */
  baseId: string;
  nested: {
    /** Field definition. Checked but not part of the type: `propertyNames`. */
    field: {
      [k: string]: unknown;
    };
  };
  /** The ID or name of the table */
  tableId: string;
}

export interface CreateFieldOutput {
  /** Checked but not part of the type: `propertyNames`. */
  field: {
    [k: string]: unknown;
  };
}

/**
 * Create a new field in a table
 *
 * Annotations: not read-only, not destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.tableId - The ID or name of the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function create_field(input: CreateFieldInput): Promise<CreateFieldOutput>;

// tools/create_record.d.ts
export interface CreateRecordInput {
  /** The ID of the base */
  baseId: string;
  /** The fields for the new record. Checked but not part of the type: `propertyNames`. */
  fields: {
    [k: string]: unknown;
  };
  /** The ID or name of the table */
  tableId: string;
}

export interface CreateRecordOutput {
  /** Checked but not part of the type: `propertyNames`. */
  fields: {
    [k: string]: unknown;
  };
  id: string;
}

/**
 * Create a new record in a table
 *
 * Annotations: not read-only, not destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.fields - The fields for the new record. Checked but not part of the type: `propertyNames`.
 * @param input.tableId - The ID or name of the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function create_record(input: CreateRecordInput): Promise<CreateRecordOutput>;

// tools/create_table.d.ts
export interface CreateTableInput {
  /** The ID of the base */
  baseId: string;
  /**
   * Array of field definitions
   *
   * Items: Checked but not part of the type: `propertyNames`.
   */
  fields: {
    [k: string]: unknown;
  }[];
  /** The name of the table */
  name: string;
  /** Optional description for the table */
  description?: string;
}

export interface CreateTableOutput {
  /** Checked but not part of the type: `propertyNames`. */
  table: {
    [k: string]: unknown;
  };
}

/**
 * Create a new table in a base
 *
 * Annotations: not read-only, not destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.fields - Array of field definitions
 * @param input.name - The name of the table
 * @param input.description - Optional description for the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function create_table(input: CreateTableInput): Promise<CreateTableOutput>;

// tools/delete_records.d.ts
export interface DeleteRecordsInput {
  /** The ID of the base */
  baseId: string;
  /** Array of record IDs to delete */
  recordIds: string[];
  /** The ID or name of the table */
  tableId: string;
}

export interface DeleteRecordsOutput {
  records: {
    id: string;
  }[];
}

/**
 * Delete records from a table
 *
 * Annotations: not read-only, destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.recordIds - Array of record IDs to delete
 * @param input.tableId - The ID or name of the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function delete_records(input: DeleteRecordsInput): Promise<DeleteRecordsOutput>;

// tools/describe_table.d.ts
export interface DescribeTableInput {
  /** The ID of the base */
  baseId: string;
  /** The ID or name of the table */
  tableId: string;
  /**
   * Detail level for table information:
   * - tableIdentifiersOnly: table IDs and names
   * - identifiersOnly: table, field, and view IDs and names
   * - full: complete details including field types, descriptions, and configurations
   *
   * Note for LLMs: To optimize context window usage, request the minimum detail level needed:
   * - Use 'tableIdentifiersOnly' when you only need to list or reference tables
   * - Use 'identifiersOnly' when you need to work with field or view references
   * - Only use 'full' when you need field types, descriptions, or other detailed configuration
   *
   * If you only need detailed information on a few tables in a base with many complex tables, it might be more efficient for you to use list_tables with tableIdentifiersOnly, then describe_table with full on the specific tables you want.
   *
   * Default: `"full"`.
   */
  detailLevel?: "tableIdentifiersOnly" | "identifiersOnly" | "full";
}

export interface DescribeTableOutput {
  /** Checked but not part of the type: `propertyNames`. */
  table: {
    [k: string]: unknown;
  };
}

/**
 * Get detailed information about a specific table
 *
 * Annotations: read-only.
 *
 * @param input.baseId - The ID of the base
 * @param input.tableId - The ID or name of the table
 * @param input.detailLevel - Detail level for table information: - tableIdentifiersOnly: table IDs and names - identifiersOnly: table, field, and view IDs and names - full: complete details including field types, descriptions, and configurations Note for LLMs: To optimize context window usage, request the minimum detail level needed: - Use 'tableIdentifiersOnly' when you only need to list or reference tables - Use 'identifiersOnly' when you need to work with field or view references - Only use 'full' when you need field types, descriptions, or other detailed configuration If you only need detailed information on a few tables in a base with many complex tables, it might be more efficient for you to use list_tables with tableIdentifiersOnly, then describe_table with full on the specific tables you want. Default: `"full"`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function describe_table(input: DescribeTableInput): Promise<DescribeTableOutput>;

// tools/get_record.d.ts
export interface GetRecordInput {
  /** The ID of the base */
  baseId: string;
  /** The ID of the record */
  recordId: string;
  /** The ID or name of the table */
  tableId: string;
}

export interface GetRecordOutput {
  /** Checked but not part of the type: `propertyNames`. */
  fields: {
    [k: string]: unknown;
  };
  id: string;
}

/**
 * Get a specific record by ID
 *
 * Annotations: read-only.
 *
 * @param input.baseId - The ID of the base
 * @param input.recordId - The ID of the record
 * @param input.tableId - The ID or name of the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function get_record(input: GetRecordInput): Promise<GetRecordOutput>;

// tools/list_bases.d.ts
export interface ListBasesInput {
  [k: string]: unknown;
}

export interface ListBasesOutput {
  bases: {
    id: string;
    name: string;
    permissionLevel: string;
  }[];
}

/**
 * List all accessible Airtable bases
 *
 * Annotations: read-only.
 *
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_bases(input?: ListBasesInput): Promise<ListBasesOutput>;

// tools/list_comments.d.ts
export interface ListCommentsInput {
  /** The ID of the base */
  baseId: string;
  /** The ID of the record */
  recordId: string;
  /** The ID or name of the table */
  tableId: string;
  /** Offset for pagination */
  offset?: string;
  /** Number of comments to return (max 100, default 100) */
  pageSize?: number;
}

export interface ListCommentsOutput {
  comments: {
    author: {
      email: string;
      id: string;
      name?: string;
    };
    createdTime: string;
    id: string;
    lastUpdatedTime: string | null;
    text: string;
    parentCommentId?: string;
  }[];
  offset: string | null;
}

/**
 * List comments on a record
 *
 * Annotations: read-only.
 *
 * @param input.baseId - The ID of the base
 * @param input.recordId - The ID of the record
 * @param input.tableId - The ID or name of the table
 * @param input.offset - Offset for pagination
 * @param input.pageSize - Number of comments to return (max 100, default 100)
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_comments(input: ListCommentsInput): Promise<ListCommentsOutput>;

// tools/list_records.d.ts
export interface ListRecordsInput {
  /** The ID of the base */
  baseId: string;
  /** The ID or name of the table */
  tableId: string;
  /**
   * An array of field names or IDs to include in the response. Omit this to return all fields, which is usually what you want. Only set it if the table has many fields and you don't need most of them, AND you already know the exact field names or IDs (e.g. from describe_table) - guessing them will silently return the wrong data.
   */
  fields?: string[];
  /** A formula used to filter records */
  filterByFormula?: string;
  /** The maximum total number of records that will be returned */
  maxRecords?: number;
  /** A list of sort objects that specifies how the records will be ordered */
  sort?: {
    field: string;
    direction?: "asc" | "desc";
  }[];
  /** The name or ID of a view in the table */
  view?: string;
}

export interface ListRecordsOutput {
  records: {
    /** Checked but not part of the type: `propertyNames`. */
    fields: {
      [k: string]: unknown;
    };
    id: string;
  }[];
}

/**
 * List records from a table
 *
 * Annotations: read-only.
 *
 * @param input.baseId - The ID of the base
 * @param input.tableId - The ID or name of the table
 * @param input.fields - An array of field names or IDs to include in the response. Omit this to return all fields, which is usually what you want. Only set it if the table has many fields and you don't need most of them, AND you already know the exact field names or IDs (e.g. from describe_table) - guessing them will silently return the wrong data.
 * @param input.filterByFormula - A formula used to filter records
 * @param input.maxRecords - The maximum total number of records that will be returned
 * @param input.sort - A list of sort objects that specifies how the records will be ordered
 * @param input.view - The name or ID of a view in the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_records(input: ListRecordsInput): Promise<ListRecordsOutput>;

// tools/list_tables.d.ts
export interface ListTablesInput {
  /** The ID of the base */
  baseId: string;
  /**
   * Detail level for table information:
   * - tableIdentifiersOnly: table IDs and names
   * - identifiersOnly: table, field, and view IDs and names
   * - full: complete details including field types, descriptions, and configurations
   *
   * Note for LLMs: To optimize context window usage, request the minimum detail level needed:
   * - Use 'tableIdentifiersOnly' when you only need to list or reference tables
   * - Use 'identifiersOnly' when you need to work with field or view references
   * - Only use 'full' when you need field types, descriptions, or other detailed configuration
   *
   * If you only need detailed information on a few tables in a base with many complex tables, it might be more efficient for you to use list_tables with tableIdentifiersOnly, then describe_table with full on the specific tables you want.
   *
   * Default: `"full"`.
   */
  detailLevel?: "tableIdentifiersOnly" | "identifiersOnly" | "full";
}

export interface ListTablesOutput {
  /** Items: Checked but not part of the type: `propertyNames`. */
  tables: {
    [k: string]: unknown;
  }[];
}

/**
 * List all tables in a specific base
 *
 * Annotations: read-only.
 *
 * @param input.baseId - The ID of the base
 * @param input.detailLevel - Detail level for table information: - tableIdentifiersOnly: table IDs and names - identifiersOnly: table, field, and view IDs and names - full: complete details including field types, descriptions, and configurations Note for LLMs: To optimize context window usage, request the minimum detail level needed: - Use 'tableIdentifiersOnly' when you only need to list or reference tables - Use 'identifiersOnly' when you need to work with field or view references - Only use 'full' when you need field types, descriptions, or other detailed configuration If you only need detailed information on a few tables in a base with many complex tables, it might be more efficient for you to use list_tables with tableIdentifiersOnly, then describe_table with full on the specific tables you want. Default: `"full"`.
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function list_tables(input: ListTablesInput): Promise<ListTablesOutput>;

// tools/search_records.d.ts
export interface SearchRecordsInput {
  /** The ID of the base */
  baseId: string;
  /** The text to search for */
  searchTerm: string;
  /** The ID or name of the table */
  tableId: string;
  /** Optional array of field IDs to search in */
  fieldIds?: string[];
  /** The maximum total number of records that will be returned */
  maxRecords?: number;
  /** The name or ID of a view in the table */
  view?: string;
}

export interface SearchRecordsOutput {
  records: {
    /** Checked but not part of the type: `propertyNames`. */
    fields: {
      [k: string]: unknown;
    };
    id: string;
  }[];
}

/**
 * Search for records containing specific text
 *
 * Annotations: read-only.
 *
 * @param input.baseId - The ID of the base
 * @param input.searchTerm - The text to search for
 * @param input.tableId - The ID or name of the table
 * @param input.fieldIds - Optional array of field IDs to search in
 * @param input.maxRecords - The maximum total number of records that will be returned
 * @param input.view - The name or ID of a view in the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function search_records(input: SearchRecordsInput): Promise<SearchRecordsOutput>;

// tools/update_field.d.ts
export interface UpdateFieldInput {
  /** The ID of the base */
  baseId: string;
  /** The ID of the field */
  fieldId: string;
  /** The ID or name of the table */
  tableId: string;
  /** New description for the field */
  description?: string;
  /** New name for the field */
  name?: string;
}

export interface UpdateFieldOutput {
  /** Checked but not part of the type: `propertyNames`. */
  field: {
    [k: string]: unknown;
  };
}

/**
 * Update a field's name or description
 *
 * Annotations: not read-only, destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.fieldId - The ID of the field
 * @param input.tableId - The ID or name of the table
 * @param input.description - New description for the field
 * @param input.name - New name for the field
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function update_field(input: UpdateFieldInput): Promise<UpdateFieldOutput>;

// tools/update_records.d.ts
export interface UpdateRecordsInput {
  /** The ID of the base */
  baseId: string;
  /** Array of records to update (max 10) */
  records: {
    /** Checked but not part of the type: `propertyNames`. */
    fields: {
      [k: string]: unknown;
    };
    id: string;
  }[];
  /** The ID or name of the table */
  tableId: string;
}

export interface UpdateRecordsOutput {
  records: {
    /** Checked but not part of the type: `propertyNames`. */
    fields: {
      [k: string]: unknown;
    };
    id: string;
  }[];
}

/**
 * Update up to 10 records in a table
 *
 * Annotations: not read-only, destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.records - Array of records to update (max 10)
 * @param input.tableId - The ID or name of the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function update_records(input: UpdateRecordsInput): Promise<UpdateRecordsOutput>;

// tools/update_table.d.ts
export interface UpdateTableInput {
  /** The ID of the base */
  baseId: string;
  /** The ID or name of the table */
  tableId: string;
  /** New description for the table */
  description?: string;
  /** New name for the table */
  name?: string;
}

export interface UpdateTableOutput {
  /** Checked but not part of the type: `propertyNames`. */
  table: {
    [k: string]: unknown;
  };
}

/**
 * Update a table's name or description
 *
 * Annotations: not read-only, destructive.
 *
 * @param input.baseId - The ID of the base
 * @param input.tableId - The ID or name of the table
 * @param input.description - New description for the table
 * @param input.name - New name for the table
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function update_table(input: UpdateTableInput): Promise<UpdateTableOutput>;

// tools/upload_attachment.d.ts
export interface UploadAttachmentInput {
  /** The ID or name of the attachment field (e.g. fldXXXXXXXXXXXXXX or "Images") */
  attachmentFieldIdOrName: string;
  /** The ID of the base */
  baseId: string;
  /** MIME type of the file (e.g. "image/jpeg", "image/png", "application/pdf") */
  contentType: string;
  /** Raw base64-encoded file content (no data URL prefix) */
  file: string;
  /** Filename for the attachment (e.g. "image.jpg") */
  filename: string;
  /** The ID of the existing record (e.g. recXXXXXXXXXXXXXX) */
  recordId: string;
}

export interface UploadAttachmentOutput {
  /** Checked but not part of the type: `propertyNames`. */
  fields: {
    [k: string]: unknown;
  };
  id: string;
}

/**
 * Upload a file directly to an attachment field on an existing record using Airtable's upload API. Supports files up to 5 MB. For larger files, use create_record or update_records with a public URL. The record must already exist.
 *
 * Annotations: not read-only, not destructive.
 *
 * @param input.attachmentFieldIdOrName - The ID or name of the attachment field (e.g. fldXXXXXXXXXXXXXX or "Images")
 * @param input.baseId - The ID of the base
 * @param input.contentType - MIME type of the file (e.g. "image/jpeg", "image/png", "application/pdf")
 * @param input.file - Raw base64-encoded file content (no data URL prefix)
 * @param input.filename - Filename for the attachment (e.g. "image.jpg")
 * @param input.recordId - The ID of the existing record (e.g. recXXXXXXXXXXXXXX)
 * @throws {SchemaValidationError} The input does not match the schema of the tool.
 * @throws {ToolCallError} The tool reports an error.
 */
export declare function upload_attachment(input: UploadAttachmentInput): Promise<UploadAttachmentOutput>;

// sha256-63xhqbWEh6+okeb4zY3bMOENeHyd0b9nQJuESbsoqfk= of all files of the package
// 5cc0315ccfb4 index.js
// b477aa737b9c meta.d.ts
// ccc82e10f538 meta.js
// 1b92d9f44fc9 tools.json
// 8e53136abd87 tools/create_comment.js
// 0bc77a01525f tools/create_comment.validator.js
// aeb628ed0662 tools/create_field.js
// fcd3d7068387 tools/create_field.validator.js
// d480f07d9946 tools/create_record.js
// e79edbb7ad9f tools/create_record.validator.js
// 262a184cd6d0 tools/create_table.js
// 9ecb304c97ab tools/create_table.validator.js
// e34a9cb20dc3 tools/delete_records.js
// fb9ed4d4bbbb tools/delete_records.validator.js
// f846173d207d tools/describe_table.js
// 64b3ebc97fb7 tools/describe_table.validator.js
// 91fdfe98f10a tools/get_record.js
// 09223d1a1344 tools/get_record.validator.js
// 3b414ec68bf0 tools/list_bases.js
// cdb492bb99b9 tools/list_bases.validator.js
// fb9ea7d603b4 tools/list_comments.js
// b14ad18b2ad7 tools/list_comments.validator.js
// 6e5d31949f40 tools/list_records.js
// db2d59a042da tools/list_records.validator.js
// 57866200f314 tools/list_tables.js
// b06a86ddb423 tools/list_tables.validator.js
// 47e5453c9873 tools/search_records.js
// 315f998a4b88 tools/search_records.validator.js
// 9296f61f97d1 tools/update_field.js
// e1b2b9d8ad9c tools/update_field.validator.js
// b0d11a42f00d tools/update_records.js
// 2472cb106dc7 tools/update_records.validator.js
// 845d48483d1a tools/update_table.js
// 5ba29bc9186d tools/update_table.validator.js
// cedc6e8bd5f1 tools/upload_attachment.js
// 28455788576e tools/upload_attachment.validator.js
