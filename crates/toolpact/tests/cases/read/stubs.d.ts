// Tools, declared by their contracts. Made by toolpact.
// Integers are numbers here: exact up to 2^53.

/** What a promise is rejected with if the tool fails. */
export declare class ToolError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly details?: unknown;
}

export interface ReadResponse {
  summary: string;
  action: "read";
  content: string;
  path: string;
  /** Bytes of the whole file. */
  size: number;
  truncated: boolean;
  nextOffset?: number;
}

/** Reads a text file. Long files are cut; ask again with `offset` for the rest. */
export declare function read(args: {
  path: string;
  /** The line to begin with. */
  offset?: number;
  limit?: number;
}): Promise<ReadResponse>;
