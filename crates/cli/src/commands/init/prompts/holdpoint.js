// Written by `holdpoint init opencode --prompts`, and taken out by `--remove`.
//
// Before a tool runs, `holdpoint hook opencode` decides, on standard input and output. Whatever goes wrong
// there stops the tool: this file throws, and opencode tells the model why.

import { spawn } from "node:child_process"

// Seconds: for a decision, and for what is only told.
const WITHIN = 3590
const WITHIN_TOLD = 8

export const Holdpoint = async ({ client, directory, worktree }) => {
  // Calls that Holdpoint has allowed: opencode need not ask about them again.
  const allowed = new Set()
  // What waits for a decision, by its session.
  const waiting = new Map()
  let servers = []

  const hook = (event, within, sessionID, told) =>
    new Promise((resolve, reject) => {
      const fail = (why) => reject(new Error(`Holdpoint did not decide: ${why}`))
      const args = ["hook", "opencode", "--within", String(within)]
      const child = spawn("holdpoint", args, { cwd: directory })
      const others = waiting.get(sessionID) ?? new Set()
      waiting.set(sessionID, others.add(child))
      let out = ""
      let err = ""
      child.stdout.on("data", (data) => (out += data))
      child.stderr.on("data", (data) => (err += data))
      child.on("error", (error) => fail(error.message))
      child.on("close", (code) => {
        others.delete(child)
        if (code !== 0) return fail(err.trim() || `it ended with ${code}`)
        try {
          resolve(JSON.parse(out))
        } catch {
          fail("its answer is no JSON")
        }
      })
      child.stdin.on("error", () => {})
      const where = { directory, worktree, mcp_servers: servers }
      child.stdin.end(JSON.stringify({ hook_event_name: event, ...where, ...told }))
    })

  return {
    config: async (config) => {
      servers = Object.keys(config.mcp ?? {})
    },

    "tool.execute.before": async (input, output) => {
      const told = { input, output: { args: output.args } }
      const answer = await hook("tool.execute.before", WITHIN, input.sessionID, told)
      if (answer?.decision !== "allow") throw new Error(answer?.reason || "Holdpoint said no.")
      if (answer.args) {
        for (const name of Object.keys(output.args)) delete output.args[name]
        Object.assign(output.args, answer.args)
      }
      allowed.add(input.callID)
    },

    "tool.execute.after": async ({ callID }) => {
      allowed.delete(callID)
    },

    event: async ({ event }) => {
      const { id, sessionID, tool } = event.properties ?? {}
      if (event.type === "session.idle") {
        // The turn is over, or was interrupted: an ask that is still open is about nothing.
        for (const child of waiting.get(sessionID) ?? []) child.kill()
        const told = hook("session.idle", WITHIN_TOLD, sessionID, { input: event })
        await told.catch(() => {})
      }
      if (event.type === "permission.asked" && tool && allowed.has(tool.callID)) {
        await client.postSessionIdPermissionsPermissionId({
          path: { id: sessionID, permissionID: id },
          body: { response: "once" },
        })
      }
    },
  }
}
