// Tools, declared by their contracts. Made by toolpact.
// Integers are numbers here: exact up to 2^53.

/** What a promise is rejected with if the tool fails. */
export declare class ToolError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly details?: unknown;
}

export interface AppRulesResponse {
  summary: string;
  appId: string;
  action: "add_allow" | "add_deny" | "remove";
  changed: boolean;
  approved: boolean;
}

/** Changes what an app may do. A change has to be approved by a person. */
export declare function app_rules(args: {
  appId: string;
  action: "add_allow" | "add_deny" | "remove";
  rule: string;
}): Promise<AppRulesResponse>;
