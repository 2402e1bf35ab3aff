//! What is described of calls that do something.

use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::{RequestBody, RequestBodyBuilder};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{ContentBuilder, PathItem, Ref, Required, ResponseBuilder};
use utoipa::{PartialSchema, ToSchema};

use super::{Description, answer, refusal};

/// Something that is done by `POST`.
pub(crate) struct Call {
    pub(crate) path: &'static str,
    /// What programs know it by.
    pub(crate) id: &'static str,
    pub(crate) about: &'static str,
    /// The status when it is done.
    pub(crate) status: &'static str,
    /// What stands in the path, and what it can be where that is a choice.
    pub(crate) in_path: &'static [(&'static str, &'static [&'static str])],
}

impl Description {
    /// Together with a call that takes an order.
    pub(crate) fn with_order<O: ToSchema + PartialSchema, A: ToSchema + PartialSchema>(
        self,
        call: &Call,
    ) -> Description {
        self.with_schema::<O>().with_operation::<A>(call, Some(body(&O::name())))
    }

    /// Together with a call that takes nothing but what is in its path.
    pub(crate) fn with_call<A: ToSchema + PartialSchema>(self, call: &Call) -> Description {
        self.with_operation::<A>(call, None)
    }

    /// Together with something that can be removed, by its name in the path.
    pub(crate) fn with_removal(self, path: &str, id: &str, about: &str, name: &str) -> Description {
        let operation = OperationBuilder::new()
            .operation_id(Some(id))
            .summary(Some(about))
            .parameters(Some([in_path(name, &[])]))
            .response("204", ResponseBuilder::new().description(about).build())
            .response("default", refusal())
            .build();
        Description { paths: self.paths.path(path, PathItem::new(HttpMethod::Delete, operation)), ..self }
    }

    fn with_operation<A: ToSchema + PartialSchema>(mut self, call: &Call, body: Option<RequestBody>) -> Description {
        let parameters: Vec<Parameter> = call.in_path.iter().map(|(name, choices)| in_path(name, choices)).collect();
        let operation = OperationBuilder::new()
            .operation_id(Some(call.id))
            .summary(Some(call.about))
            .parameters(Some(parameters))
            .request_body(body)
            .response(call.status, answer(call.about, "application/json", &A::name()))
            .response("default", refusal())
            .build();
        self = self.with_schema::<A>();
        Description { paths: self.paths.path(call.path, PathItem::new(HttpMethod::Post, operation)), ..self }
    }
}

fn body(name: &str) -> RequestBody {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build();
    RequestBodyBuilder::new().content("application/json", content).required(Some(Required::True)).build()
}

fn in_path(name: &str, choices: &[&str]) -> Parameter {
    let text = ObjectBuilder::new().schema_type(Type::String);
    let text = if choices.is_empty() { text } else { text.enum_values(Some(choices.iter().copied())) };
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(text))
        .build()
}
