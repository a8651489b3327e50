#!/bin/sh
# Asks a person before a deployment, waits for the decision, and acts on it. Needs curl and jq.
#
#   export HOLDPOINT_TOKEN=…      # what `holdpoint token create deploy --may ask` printed
#   ./ask.sh 2.4
set -eu

page=${HOLDPOINT_URL:-http://127.0.0.1:4653}
version=${1:-the next version}

# One request. The token goes by standard input: arguments can be seen by everybody on the machine.
call() {
    until answer=$(printf 'header = "Authorization: Bearer %s"\n' "$HOLDPOINT_TOKEN" |
        curl --config - --silent --show-error --fail-with-body --max-time 90 "$@"); do
        # What the page refuses is final. Otherwise it may be moving to another process.
        if [ -n "$answer" ]; then
            printf %s "$answer" | jq -r .error.message >&2
            exit 1
        fi
        sleep 1
    done
    printf %s "$answer"
}

question=$(jq -n --arg version "$version" '{
    message: "Deploy **\($version)** to production?",
    fields: [
        { name: "deploy", kind: "confirm", title: "Deploy it?" },
        { name: "when", kind: "choice", title: "When?", options: ["now", "tonight"] }
    ],
    timeoutSeconds: 3600
}')
# With a key, the same request again is the same question.
told=$(call --json "$question" --header "Idempotency-Key: deploy-$version-$$" "$page/api/asks")
id=$(printf %s "$told" | jq -r .askId)
echo "Waiting for a person: $(printf %s "$told" | jq -r '.url // "holdpoint inbox"')" >&2

while [ "$(printf %s "$told" | jq -r .status)" = pending ]; do
    told=$(call "$page/api/asks/$id?wait=60")
done

# Nothing but `proceed` is a yes: not a status, not a value, not silence.
if printf %s "$told" | jq -e '.proceed == true' >/dev/null; then
    printf %s "$told" | jq -r --arg version "$version" '"Deploying \($version) \(.values.when), as \(.answeredBy) decided."'
else
    printf %s "$told" | jq -r '"Not deployed (\(.status)). \(.reason // .nextStep)"' >&2
    exit 1
fi
