//! Suggestions for `code`, `path`, `directory` and `step`.

use super::{
    blocking, locate::PlanRoot, prompts::names_new_plan, resources::Viewer, status::State,
};
use crate::Which;
use rmcp::model::{CompleteRequestParams, CompletionInfo, Reference};

/// What could be meant by what was typed so far, best first.
pub(crate) async fn complete(viewer: &Viewer, request: CompleteRequestParams) -> CompletionInfo {
    let root = viewer.root().clone();
    blocking(move || suggestions(&root, &request)).await
}

fn suggestions(root: &PlanRoot, request: &CompleteRequestParams) -> CompletionInfo {
    let argument = &request.argument;
    let new = match &request.r#ref {
        Reference::Prompt(prompt) => names_new_plan(&prompt.name),
        _ => false,
    };
    let plans = || {
        let usual = root.folder(None).map(|folder| root.list(&folder));
        let mut plans = usual.unwrap_or_default();
        plans.extend(root.elsewhere(|_| true));
        plans
    };
    let all: Vec<String> = match argument.name.as_str() {
        // A code that is taken cannot be that of a new plan.
        "code" if new => Vec::new(),
        "step" => {
            let known = request
                .context
                .as_ref()
                .and_then(|context| context.arguments.as_ref());
            let path = known.and_then(|known| known.get("path").cloned());
            path.map(|path| open_steps(root, path)).unwrap_or_default()
        }
        "code" => plans().into_iter().map(|place| place.code).collect(),
        "path" => plans()
            .into_iter()
            .map(|place| place.path.into_name())
            .collect(),
        "directory" => {
            let usual = root.folder(None).map(|folder| folder.into_name()).ok();
            let plans: Vec<_> = plans()
                .into_iter()
                .map(|place| place.path.into_name())
                .collect();
            // A plan's own folder is none to put plans into.
            let within = |name: &str| {
                plans
                    .iter()
                    .any(|plan| name == plan || name.starts_with(&format!("{plan}/")))
            };
            let folders = root.folders().map(|folder| folder.into_name());
            usual
                .into_iter()
                .chain(folders.filter(|name| !within(name)))
                .collect()
        }
        _ => Vec::new(),
    };
    best(all, &argument.value)
}

/// The steps of a plan that are not done.
fn open_steps(root: &PlanRoot, path: String) -> Vec<String> {
    let which = Which {
        code: None,
        path: Some(path),
    };
    let status = root.find(&which).and_then(|place| root.status(&place));
    let steps = status.map(|status| status.steps).unwrap_or_default();
    let open = steps
        .iter()
        .filter(|step| !step.state.is_done() && step.state != State::Blocked);
    open.map(|step| step.number.to_string()).collect()
}

fn best(all: Vec<String>, typed: &str) -> CompletionInfo {
    let mut scored: Vec<_> = all
        .into_iter()
        .filter_map(|value| Some((score(&value, typed)?, value)))
        .collect();
    scored.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    scored.dedup_by(|one, other| one.1 == other.1);
    let total = scored.len();
    let values: Vec<_> = scored
        .into_iter()
        .map(|(_, value)| value)
        .take(CompletionInfo::MAX_VALUES)
        .collect();
    let mut info = CompletionInfo::default();
    info.has_more = Some(total > values.len());
    info.total = Some(total as u32);
    info.values = values;
    info
}

/// How well a value fits what was typed, whose letters it must have in their order: better where
/// they follow each other, and where they begin a word; none where it does not fit.
fn score(value: &str, typed: &str) -> Option<i64> {
    let value: Vec<char> = value.to_lowercase().chars().collect();
    let typed: Vec<char> = typed.trim().to_lowercase().chars().collect();
    let wanted: String = typed.iter().collect();
    let text: String = value.iter().collect();
    let (mut score, mut from, mut last) = (0, 0, None);
    for letter in &typed {
        let at = (from..value.len()).find(|at| value[*at] == *letter)?;
        let begins = at == 0 || !value[at - 1].is_alphanumeric();
        score += 1 + if begins { 8 } else { 0 };
        score += if last.is_some_and(|last| last + 1 == at) {
            4
        } else {
            0
        };
        (from, last) = (at + 1, Some(at));
    }
    score += if text.contains(&wanted) { 40 } else { 0 };
    score += if text.starts_with(&wanted) { 40 } else { 0 };
    // Of two that fit alike, the shorter one is meant.
    Some(score * 100 - value.len() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_come_first_and_no_more_than_a_hundred() {
        let check = |all: &[&str], typed: &str, wanted: &[&str]| {
            let all = all.iter().map(|&value| value.to_owned()).collect();
            assert_eq!(best(all, typed).values, wanted, "{typed}");
        };
        let plans = ["add-login", "login", "add-logout", "big-loan"];
        check(&plans, "login", &["login", "add-login"]);
        check(&plans, "lgn", &["login", "add-login"]);
        check(&plans, "AL", &["add-login", "add-logout"]);
        check(&plans, "zz", &[]);
        check(&["b", "a", "b"], "", &["a", "b"]);
        let many: Vec<_> = (0..130).map(|n| format!("plan-{n}")).collect();
        let info = best(many, "plan");
        assert_eq!(
            (info.values.len(), info.total, info.has_more),
            (100, Some(130), Some(true))
        );
        assert_eq!(best(vec!["a".into()], "").has_more, Some(false));
    }
}
