//! Tools as people write them.

use super::*;

/// Name, description, the old type, the description of what it returns; and what to expect.
#[rustfmt::skip]
const TOOLS: &[(&str, &str, &str, &str, StandardType, Confidence)] = &[
    // The specification, and the sample agents of ADL.
    ("get_user", "", "object", "Returns user data", EntityResult, Likely),
    ("generate_image_using_gemini", "Generate a single image from a text prompt.", "", "Returns generated image with metadata", MediaResult, Likely),
    ("search_documents", "Search for documents across all available indices.", "array", "Returns paginated list of documents", ListResult, Likely),
    ("summarize_documents", "Generate a comprehensive summary of multiple documents.", "string", "Returns generated summary", StringValue, Likely),
    ("search_products", "Search for products matching given criteria.", "object", "Returns paginated list of products", ListResult, Likely),
    ("get_product_details", "Get detailed information about a specific product.", "object", "Returns product entity with details", EntityResult, Likely),
    ("lookup_order", "Look up customer order details by order ID.", "object", "Returns order entity with details", EntityResult, Likely),
    ("update_ticket_status", "Update the status of a support ticket.", "object", "Returns operation status", ObjectResult, Unsure),
    ("echo", "Echo a string back to the caller.", "string", "Returns echoed text", StringValue, Likely),
    // Create, update, delete.
    ("create_user", "Creates a new user account.", "object", "The created user", ObjectResult, Likely),
    ("updateCustomer", "Update a customer's contact data", "object", "", ObjectResult, Likely),
    ("add_comment", "Adds a comment to an issue.", "", "", ObjectResult, Likely),
    ("book_flight", "Book a flight for a traveller", "object", "Booking confirmation", ObjectResult, Likely),
    ("set_thermostat", "Set the target temperature of a room.", "object", "", ObjectResult, Likely),
    ("assign_ticket", "Assign a ticket to an agent.", "object", "The updated ticket", ObjectResult, Likely),
    ("delete_file", "Deletes a file.", "", "", VoidResult, Likely),
    ("remove_member", "Remove a member from a team", "null", "", VoidResult, Likely),
    ("archive_project", "Archive a project.", "void", "", VoidResult, Likely),
    ("send_email", "Send an email to a recipient.", "", "", VoidResult, Likely),
    ("notify_team", "Notify everyone in a channel", "", "Nothing", VoidResult, Likely),
    ("clear_cache", "Clears the cache.", "none", "", VoidResult, Likely),
    // Reading.
    ("get_invoice", "Get an invoice by its number", "object", "", EntityResult, Likely),
    ("fetchOrder", "Fetch a single order", "object", "The order", EntityResult, Likely),
    ("read_record", "Reads one record by ID", "object", "", EntityResult, Likely),
    ("get_users", "Get all users of an organization", "array", "", ListResult, Likely),
    ("get_orders_by_customer", "Returns the orders of a customer.", "array", "List of orders", ListResult, Likely),
    ("list_repositories", "List repositories for the authenticated user", "", "", ListResult, Likely),
    ("find_restaurants", "Find restaurants near a place.", "array", "Array of restaurants", ListResult, Likely),
    ("web_search", "Search the web.", "array", "", ListResult, Likely),
    ("query_database", "Run a SQL query.", "array", "Rows", ListResult, Likely),
    ("browse_catalog", "Browse the product catalog, page by page", "", "", ListResult, Likely),
    // Many at once, and things that take long.
    ("bulk_update_prices", "Update many prices at once.", "object", "", BatchResult, Likely),
    ("import_contacts", "Import contacts from a CSV file.", "object", "Result per item", BatchResult, Likely),
    ("batch_delete", "Delete a batch of records", "array", "", BatchResult, Likely),
    ("start_export_job", "Start a long-running export.", "object", "The job", OperationStatus, Likely),
    ("deploy_service", "Deploys a service in the background", "object", "Deployment", OperationStatus, Likely),
    ("get_job_status", "Get the status of a job.", "object", "Job status", OperationStatus, Likely),
    ("train_model", "Start training a model asynchronously", "object", "", OperationStatus, Likely),
    // Primitives.
    ("translate_text", "Translate text into another language.", "string", "The translation", StringValue, Likely),
    ("write_poem", "Write a poem about a subject", "string", "", StringValue, Likely),
    ("transcribe_audio", "Transcribe an audio file to text.", "string", "", StringValue, Likely),
    ("generate_slug", "Generate a URL slug for a title", "string", "The slug", StringValue, Likely),
    ("count_words", "Count the words of a text.", "integer", "Number of words", NumberValue, Likely),
    ("calculate_tax", "Calculates sales tax.", "number", "", NumberValue, Likely),
    ("get_temperature", "Get the temperature of a city", "number", "Degrees", NumberValue, Likely),
    ("get_account_balance", "", "number", "The balance", NumberValue, Likely),
    ("sum_values", "Sum numbers", "", "", NumberValue, Likely),
    ("is_prime", "Whether a number is prime", "boolean", "", BooleanValue, Likely),
    ("user_exists", "Check whether a user exists.", "boolean", "True if the user exists", BooleanValue, Likely),
    ("validate_email", "Validate an email address.", "boolean", "", BooleanValue, Likely),
    ("hasPermission", "", "", "", BooleanValue, Likely),
    ("check_availability", "Check if a room is available", "boolean", "", BooleanValue, Likely),
    ("generate_uuid", "Generate a UUID.", "string", "", IdentifierValue, Likely),
    ("create_order_id", "Make a unique ID for an order", "string", "The ID", IdentifierValue, Likely),
    ("get_customer_id", "Returns the ID of the customer", "string", "The ID", IdentifierValue, Likely),
    // Files, media, streams.
    ("export_report", "Export a report as PDF.", "file", "PDF file", FileResult, Likely),
    ("generate_invoice_pdf", "Generate a PDF invoice", "", "", FileResult, Likely),
    ("export_users_to_csv", "Export all users to a CSV file.", "file", "", FileResult, Likely),
    ("download_attachment", "Download an attachment of a mail", "file", "", FileResult, Likely),
    ("generate_thumbnail", "Generate a thumbnail of a video", "", "", MediaResult, Likely),
    ("create_chart", "Create a bar chart of data.", "image", "", MediaResult, Likely),
    ("text_to_speech", "Synthesize speech from text", "audio", "Audio", MediaResult, Likely),
    ("take_screenshot", "Take a screenshot of a page.", "string", "Base64 image", MediaResult, Likely),
    ("subscribe_to_prices", "Subscribe to real-time prices", "stream", "", EventStream, Likely),
    ("watch_directory", "Watch a directory for changes.", "", "", EventStream, Likely),
    ("stream_logs", "Stream logs as they happen", "", "", EventStream, Likely),
    ("download_dataset", "Download a large dataset in chunks.", "binary", "", FileResult, Unsure),
    ("read_in_chunks", "Read a large file in chunks", "", "Chunk of the file", ChunkedData, Likely),
    // Too vague to decide.
    ("process", "", "object", "", ObjectResult, Unsure),
    ("do_it", "Does the thing.", "", "", ObjectResult, Unsure),
    ("", "", "", "", ObjectResult, Unsure),
    ("delete_user", "Delete a user.", "boolean", "True if the user was deleted", BooleanValue, Unsure),
    ("convert_currency", "Convert an amount into another currency", "", "", NumberValue, Unsure),
    ("get_weather", "Get the weather", "string", "Description of the weather", StringValue, Unsure),
    ("search_text", "Search results as text", "string", "", ListResult, Unsure),
    ("process_batch_job", "Process a batch job in the background", "object", "", BatchResult, Unsure),
    ("enable_feature", "", "", "", VoidResult, Unsure),
    ("count_users", "Count users", "object", "The count per country", NumberValue, Unsure),
];

#[test]
fn tools_as_people_write_them() {
    let mut wrong = Vec::new();
    for (name, description, old_type, returned, standard, confidence) in TOOLS {
        let choice = for_tool(name, description, old_type, returned);
        if (choice.standard(), choice.confidence()) != (*standard, *confidence) {
            wrong.push(format!(
                "{name}: expected {standard} ({confidence}), found {choice}"
            ));
        }
        assert!(!choice.reasons().is_empty() && !choice.alternatives().is_empty());
        assert!(!choice.alternatives().contains(&choice.standard()));
    }
    assert!(TOOLS.len() >= 60);
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        TOOLS.len(),
        wrong.join("\n")
    );
}

#[test]
fn a_row_of_the_matrix_gets_its_own_answer() {
    for row in &MATRIX {
        let choice = for_use_case(row.use_case);
        assert_eq!(choice.standard(), row.recommended, "{}", row.use_case);
        assert_eq!(choice.alternatives(), [row.alternative], "{}", row.use_case);
    }
}
