//! The API's description of itself: OpenAPI, put together from the views themselves, so that it lists what there is.

mod calls;
mod page;

use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterIn};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, PathsBuilder, Ref, RefOr,
    ResponseBuilder, Schema,
};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use crate::refusal::Problem;
use crate::views::{View, api_path};

pub(crate) use calls::Call;
pub(crate) use page::api_page;

/// Where the description is.
pub(crate) const OPENAPI: &str = "/api/v1/openapi.json";

/// What there is to describe.
#[derive(Default)]
pub(crate) struct Description {
    paths: PathsBuilder,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl Description {
    /// Together with a view.
    pub(crate) fn with_view<V: View>(mut self) -> Description {
        let operation = OperationBuilder::new()
            .operation_id(Some(V::NAME))
            .summary(Some(V::ABOUT))
            .parameters(Some(V::Asked::into_params(|| Some(ParameterIn::Query))))
            .response("200", answer(V::ABOUT, "application/json", &V::name()))
            .response("default", refusal())
            .build();
        self = self.with_schema::<V>();
        Description { paths: self.paths.path(api_path(V::NAME), PathItem::new(HttpMethod::Get, operation)), ..self }
    }

    /// Together with a type that answers hold, and those that it holds.
    pub(crate) fn with_schema<T: ToSchema + PartialSchema>(mut self) -> Description {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        self
    }

    /// The whole.
    pub(crate) fn finish(self) -> OpenApi {
        let whole = self.with_schema::<Problem>();
        let about = "Reads an archive of the Web by block. Times are RFC 3339; what cannot be answered is told as RFC 9457 problem details.";
        let info = InfoBuilder::new().title("kuai").version(env!("CARGO_PKG_VERSION")).description(Some(about)).build();
        let components = ComponentsBuilder::new().schemas_from_iter(whole.schemas).build();
        OpenApiBuilder::new().info(info).paths(whole.paths.build()).components(Some(components)).build()
    }
}

/// The answer where there is none.
fn refusal() -> utoipa::openapi::Response {
    answer("Why there is no answer.", "application/problem+json", &Problem::name())
}

/// An answer that holds a value of a named type.
fn answer(about: &str, content_type: &str, name: &str) -> utoipa::openapi::Response {
    let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(name))).build();
    ResponseBuilder::new().description(about).content(content_type, content).build()
}
