// Tools, declared by their contracts. Made by toolpact.
// Integers are numbers here: exact up to 2^53.

/** What a promise is rejected with if the tool fails. */
export declare class ToolError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly details?: unknown;
}

export interface WebSearchResponseSourcesItem {
  title: string;
  url: string;
}

export interface WebSearchResponse {
  summary: string;
  query: string;
  resultCount: number;
  sources?: WebSearchResponseSourcesItem[];
}

/** Searches the web, and returns what was found as a summary with its sources. */
export declare function web_search(args: {
  query: string;
  /** @default 5 */
  resultCount?: number;
}): Promise<WebSearchResponse>;
