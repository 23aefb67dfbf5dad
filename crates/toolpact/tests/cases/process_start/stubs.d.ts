// Tools, declared by their contracts. Made by toolpact.
// Integers are numbers here: exact up to 2^53.

/** What a promise is rejected with if the tool fails. */
export declare class ToolError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly details?: unknown;
}

export interface ProcessStartResponse {
  summary: string;
  action: "start";
  processId: string;
  status: "starting" | "running" | "exited";
  pid?: number;
  exitCode?: number;
}

/** Starts a program that goes on in the background. */
export declare function process_start(args: {
  command: string[];
  name?: string;
}): Promise<ProcessStartResponse>;
