//! The functions that the prelude leaves to the engine; scripts never see them.

use super::{
    Limits,
    bytecode::Bytecode,
    interrupt::Interrupt,
    job::{Job, MethodLocation, Passing},
    logs::Logs,
    value::{NoJson, json},
};
use rquickjs::{
    Ctx, Error, Function, IntoJs, Object, Promise, String as JsString, Value, function::IntoArgs,
    promise::PromiseState,
};
use std::sync::Arc;

/// What a module offers, as its own values say.
pub(crate) struct Offered {
    pub methods: Vec<MethodLocation>,
    /// `permissions`, where it exports them.
    pub permissions: Option<serde_json::Value>,
}

/// Where a script is when all of its promises that can be kept are.
#[derive(Clone, Copy)]
pub(super) enum Answer {
    /// It yielded something, or awaits something of the flow.
    Yielded,
    Returned,
    /// A timer was due and has run: there may be more to do.
    TimerRan,
    /// It awaits what nobody will give.
    Nothing,
}

/// Throws what a module threw.
pub(super) fn settled(loaded: &Promise<'_>) -> rquickjs::Result<()> {
    let result: Option<rquickjs::Result<Value>> = loaded.result();
    result.map_or(Ok(()), |result| result.map(drop))
}

/// What a generator gave.
fn came_to<'js>(given: &Object<'js>) -> rquickjs::Result<(Answer, Value<'js>)> {
    let what = if given.get("done")? {
        Answer::Returned
    } else {
        Answer::Yielded
    };
    Ok((what, given.get("value")?))
}

/// The functions that the prelude leaves to the engine; scripts never see them.
pub(super) struct Driver<'js>(Object<'js>);

impl<'js> Driver<'js> {
    pub fn install(cx: &Ctx<'js>, prelude: &Bytecode, logs: &Arc<Logs>) -> rquickjs::Result<()> {
        let (module, _) = prelude.load(cx)?.eval()?;
        let logs = Arc::clone(logs);
        let log = Function::new(cx.clone(), move |level: String, text: String| {
            logs.push(&level, text);
        })?;
        let setup: Function = module.get("default")?;
        let driver: Object = setup.call((log,))?;
        cx.store_userdata(driver)
            .map(drop)
            .map_err(|_| Error::Unknown)
    }

    pub fn from_context(cx: &Ctx<'js>) -> rquickjs::Result<Self> {
        let driver = cx.userdata::<Object>().ok_or(Error::Unknown)?;
        Ok(Self(driver.clone()))
    }

    pub fn call<T: rquickjs::FromJs<'js>>(
        &self,
        function: &str,
        with: impl IntoArgs<'js>,
    ) -> rquickjs::Result<T> {
        self.0.get::<_, Function>(function)?.call(with)
    }

    pub fn run(&self, function: &str, with: impl IntoArgs<'js>) -> rquickjs::Result<()> {
        self.call::<Value>(function, with).map(drop)
    }

    /// A new call, with its number, its seed and its time.
    pub fn enter(&self, (call, seed, now): (u32, u64, f64)) -> rquickjs::Result<()> {
        let (low, high) = (seed as u32 as f64, (seed >> 32) as f64);
        self.run("enter", (call, low, high, now))
    }

    /// Keeps the function that makes an instance of the realm's file.
    pub fn keep_function(&self, function: Function<'js>) -> rquickjs::Result<()> {
        self.0.set("instance", function)
    }

    /// What a fresh instance of the file exports.
    pub fn instance(&self) -> rquickjs::Result<Object<'js>> {
        self.call("instance", ())
    }

    /// Starts a method of this module, or of the one that is held.
    pub fn start(
        &self,
        job: &Job<'_>,
        method: &MethodLocation,
        space: Option<Object<'js>>,
    ) -> rquickjs::Result<()> {
        let cx = self.0.ctx();
        let arguments = cx.json_parse(job.arguments)?;
        let name = match &method.owner {
            Some(_) => method.name.as_str().into_js(cx)?,
            None => Value::new_undefined(cx.clone()),
        };
        let names = match &method.passing {
            Passing::Object => None,
            Passing::Positional(names) => Some(names.clone()),
        };
        let exported = method.exported.as_str();
        let body = method.body.name();
        self.run(
            "start",
            (job.call, exported, name, body, arguments, names, space),
        )
    }

    /// Whether the module still awaits something.
    pub fn pending(&self, call: u32) -> rquickjs::Result<bool> {
        let loaded: Value = self.call("loaded", (call,))?;
        Ok(loaded
            .as_promise()
            .is_some_and(|loaded| loaded.state() == PromiseState::Pending))
    }

    /// Throws what the module threw.
    pub fn loaded(&self, call: u32) -> rquickjs::Result<()> {
        let loaded: Value = self.call("loaded", (call,))?;
        loaded.as_promise().map_or(Ok(()), settled)
    }

    /// What the script awaits of the flow; else what its generator came to; else what its timers do.
    pub fn answer(&self, call: u32) -> rquickjs::Result<(Answer, Value<'js>)> {
        let arrived: Value = self.call("arrived", (call,))?;
        if let Some(arrived) = arrived.as_object() {
            return came_to(arrived);
        }
        let wanted: Value = self.call("wanted", (call, self.standing(call)?))?;
        if !wanted.is_undefined() {
            return Ok((Answer::Yielded, wanted));
        }
        let answer: Value = self.call("answer", (call,))?;
        let answer = match answer.as_promise() {
            None => answer,
            Some(promise) => match promise.result() {
                None => return self.tick(call, answer),
                Some(result) => result?,
            },
        };
        let (came_to, value) = came_to(&Object::from_value(answer)?)?;
        let done = matches!(came_to, Answer::Returned);
        self.run("handOver", (call, value.clone(), done))?;
        Ok((came_to, value))
    }

    /// Whether the script has come to a yield or to its end, or has failed.
    fn standing(&self, call: u32) -> rquickjs::Result<&'static str> {
        let place: Value = self.call("place", (call,))?;
        Ok(match place.as_promise().map(Promise::state) {
            Some(PromiseState::Pending) => "pending",
            Some(PromiseState::Rejected) => "broken",
            Some(PromiseState::Resolved) | None => "kept",
        })
    }

    /// What its timers do while the script waits for this promise.
    fn tick(&self, call: u32, answer: Value<'js>) -> rquickjs::Result<(Answer, Value<'js>)> {
        let next: Value = self.call("tick", (call, answer))?;
        Ok(if next.is_undefined() {
            (Answer::Nothing, next)
        } else if next.is_bool() {
            (Answer::TimerRan, next)
        } else {
            (Answer::Yielded, next)
        })
    }

    /// What the module of photon's name offers.
    pub fn photon(&self) -> rquickjs::Result<Object<'js>> {
        self.0.get("photon")
    }

    pub fn offered(
        &self,
        call: u32,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Result<Offered, NoJson> {
        let space: Object = self.call("space", (call,))?;
        let methods: Value = self.call("describe", (space.clone(),))?;
        let methods = json(self, methods, limits, interrupt)?.unwrap_or_default();
        let permissions: Value = space.get("permissions")?;
        Ok(Offered {
            methods: serde_json::from_value(methods).unwrap_or_default(),
            permissions: json(self, permissions, limits, interrupt)?,
        })
    }

    /// What an object is that has no JSON form.
    pub fn oddity(&self, object: &Object<'js>) -> rquickjs::Result<Option<String>> {
        match object.get_prototype() {
            Some(proto) if proto != self.0.get_prototype().unwrap_or(proto.clone()) => {
                self.call("oddity", (object.clone(),))
            }
            _ => Ok(None),
        }
    }

    /// The outcome of the ask whose error this is.
    pub fn outcome(&self, error: &Object<'js>) -> Option<String> {
        self.call("outcome", (error.clone(),)).ok()
    }

    /// A string's text; halves of characters become �.
    pub fn text(&self, text: &JsString<'js>) -> rquickjs::Result<String> {
        match text.to_string() {
            Err(Error::Utf8(_)) => self.call("text", (text.clone(),)),
            text => text,
        }
    }
}
