// The inputs as zod schemas: arguments closed, results open, as everywhere in the comparison.

import { z } from "zod";

const optional = (schema) => schema.optional();
const call = (name, args) => z.strictObject({ name: z.literal(name), args });

const transaction = z.strictObject({
  transaction_id: z.string(),
  amount: z.number(),
  currency: z.enum(["USD", "EUR", "GBP", "JPY", "CAD", "AUD"]),
  timestamp: z.string(),
  category: z.enum(["income", "expense", "transfer", "investment", "fee"]),
  account: z.strictObject({
    account_id: z.string(),
    account_type: z.enum(["checking", "savings", "credit", "investment"]),
  }),
  metadata: optional(
    z.strictObject({
      merchant: optional(z.string()),
      reference: optional(z.string()),
      tags: optional(z.array(z.string())),
    }),
  ),
});

const finance = call(
  "process_financial_data",
  z.strictObject({
    transactions: z.array(transaction),
    validation_rules: optional(
      z.strictObject({
        max_amount: optional(z.number()),
        allowed_currencies: optional(z.array(z.string())),
        require_merchant: optional(z.boolean()),
      }),
    ),
    output_format: z.enum(["summary", "detailed", "csv", "json"]),
  }),
);

const ticket = call(
  "create_support_ticket",
  z.strictObject({
    title: z.string(),
    description: z.string(),
    priority: z.enum(["low", "medium", "high", "critical"]),
    category: z.enum(["technical", "billing", "account", "feature_request"]),
    assignee: optional(z.strictObject({ team: z.string(), user_id: optional(z.string()) })),
    attachments: optional(
      z.array(
        z.strictObject({
          filename: z.string(),
          content_type: z.string(),
          size: optional(z.int()),
        }),
      ),
    ),
  }),
);

const participant = z.strictObject({
  email: z.string(),
  role: z.enum(["organizer", "required", "optional"]),
  send_invitation: optional(z.boolean()),
});

const meeting = call(
  "schedule_meeting",
  z.strictObject({
    title: z.string(),
    start_time: z.string(),
    duration_minutes: z.int(),
    participants: z.array(participant),
    location: optional(
      z.strictObject({
        type: z.enum(["physical", "virtual", "hybrid"]),
        address: optional(z.string()),
        virtual_link: optional(z.string()),
        room_capacity: optional(z.int()),
      }),
    ),
    recurrence: optional(
      z.strictObject({
        pattern: z.enum(["daily", "weekly", "monthly", "yearly"]),
        interval: optional(z.int()),
        end_date: optional(z.string()),
        occurrences: optional(z.int()),
      }),
    ),
  }),
);

const failure = z.looseObject({ code: z.string(), message: z.string() });

const object = z.looseObject({
  success: z.boolean(),
  data: optional(
    z.looseObject({ user_id: z.string(), username: z.string(), created_at: z.string() }),
  ),
  error: optional(failure),
  metadata: optional(
    z.looseObject({
      timestamp: z.iso.datetime({ offset: true }),
      request_id: z.string(),
      duration_ms: z.int(),
    }),
  ),
});

const count = z.int().min(0);

const batch = z.looseObject({
  success: z.boolean(),
  batch_id: z.string(),
  total: count,
  successful: count,
  failed: count,
  items: z.array(
    z.looseObject({
      id: z.string(),
      success: z.boolean(),
      data: optional(z.looseObject({ processed_at: z.string(), rows: z.int() })),
      error: optional(failure),
    }),
  ),
  errors: z.array(z.looseObject({ code: z.string(), message: z.string(), count: z.int() })),
});

const list = z.looseObject({
  success: z.boolean(),
  data: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      price: z.number(),
      in_stock: z.boolean(),
      tags: z.array(z.string()),
      created_at: z.string(),
    }),
  ),
  pagination: z.looseObject({
    page: z.int().min(1),
    per_page: z.int().min(1),
    total: count,
    total_pages: count,
    has_next: z.boolean(),
    has_prev: z.boolean(),
  }),
});

export default {
  process_financial_data_2: finance,
  process_financial_data_1000: finance,
  create_support_ticket: ticket,
  schedule_meeting: meeting,
  ObjectResult: object,
  BatchResult_1000: batch,
  ListResult_10000: list,
};
