//! Swagger 2.0 gives the same tools as the OpenAPI 3 document that says the same.

use super::import_text;

const SWAGGER: &str = r##"
swagger: "2.0"
info: {title: Pets, version: "1"}
host: pets.example
basePath: /v2
schemes: [http, https]
consumes: [application/json]
produces: [application/json]
parameters:
  limit: {name: limit, in: query, type: integer, minimum: 1, description: How many.}
responses:
  pet: {description: A pet., schema: {$ref: "#/definitions/Pet"}}
paths:
  /pets:
    parameters: [{$ref: "#/parameters/limit"}]
    get:
      operationId: listPets
      summary: Lists pets.
      parameters:
        - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: csv}
        - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: multi}
      responses: {"200": {description: Pets., schema: {type: array, items: {$ref: "#/definitions/Pet"}}}}
    post:
      operationId: addPet
      summary: Adds a pet.
      parameters: [{name: pet, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}]
      responses: {"200": {$ref: "#/responses/pet"}}
  /pets/{id}/photo:
    post:
      operationId: addPhoto
      summary: Adds a photo.
      consumes: [multipart/form-data]
      parameters:
        - {name: id, in: path, required: true, type: string}
        - {name: photo, in: formData, required: true, type: file}
        - {name: note, in: formData, type: string, description: What it shows.}
      responses: {"204": {description: Done.}}
definitions:
  Pet:
    type: object
    required: [name]
    properties:
      name: {type: string}
      id: {type: string, readOnly: true}
      parent: {$ref: "#/definitions/Pet"}
"##;

const OPENAPI: &str = r##"
openapi: 3.0.3
info: {title: Pets, version: "1"}
servers: [{url: "https://pets.example/v2"}]
paths:
  /pets:
    get:
      operationId: listPets
      summary: Lists pets.
      parameters:
        - {name: limit, in: query, description: How many., schema: {type: integer, minimum: 1}}
        - {name: tags, in: query, style: form, explode: false, schema: {type: array, items: {type: string}}}
        - {name: ids, in: query, style: form, explode: true, schema: {type: array, items: {type: integer}}}
      responses:
        "200":
          description: Pets.
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
    post:
      operationId: addPet
      summary: Adds a pet.
      parameters: [{name: limit, in: query, description: How many., schema: {type: integer, minimum: 1}}]
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
      responses:
        "200":
          description: A pet.
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
  /pets/{id}/photo:
    post:
      operationId: addPhoto
      summary: Adds a photo.
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [photo]
              properties:
                photo: {type: string, format: binary}
                note: {type: string, description: What it shows.}
      responses: {"204": {description: Done.}}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string}
        id: {type: string, readOnly: true}
        parent: {$ref: "#/components/schemas/Pet"}
"##;

#[test]
fn the_same_tools_in_both() {
    let (old, new) = (import_text(SWAGGER).unwrap(), import_text(OPENAPI).unwrap());
    assert!(old.left_out().is_empty(), "{:?}", old.left_out());
    assert_eq!((old.tools().len(), new.tools().len()), (3, 3));
    for (old, new) in old.tools().iter().zip(new.tools()) {
        assert_eq!(old.contract.to_canonical(), new.contract.to_canonical());
        assert_eq!(old.contract.digest(), new.contract.digest());
        assert_eq!(old.route, new.route);
        assert_eq!(old.losses, new.losses);
    }
}

#[test]
fn other_versions_are_refused() {
    let refused = import_text(r#"{"swagger": "1.2", "apis": []}"#).unwrap_err();
    let refused = refused.to_string();
    assert!(refused.contains("found Swagger 1.2"), "{refused}");
}

#[test]
fn what_is_wrong_is_told_where_it_is() {
    let text = r##"{"swagger": "2.0", "paths": {"/a": {"get": {"operationId": "a", "responses":
        {"200": {"schema": {"$ref": "#/definitions/A"}}}}}},
        "definitions": {"A": {"type": "object", "properties": {"x": {"type": "objekt"}}}}}"##;
    let import = import_text(text).unwrap();
    let wrong = import.left_out()[0].violations.to_string();
    assert!(
        wrong.contains("/definitions/A/properties/x/type"),
        "{wrong}"
    );
}
