/**
 * The nouns of the HTTP contract as the page reads them, and those of its own state. Types only.
 * What the service may leave out is optional here, so that the checker asks for it.
 *
 * @typedef {"pending_confirmation"|"confirmed"|"executing"|"completed"|"failed"|"rolled_back"|"expired"|"cancelled"} PlanStatus
 * @typedef {"pending"|"running"|"completed"|"failed"|"skipped"|"unknown"|"reversed"} StepStatus
 * @typedef {"reversed"|"failed"|"irreversible"|"not_needed"} ReversalOutcome
 *
 * @typedef {{label: string, say: string}} QuickAction
 * @typedef {{field: string, before?: string|null, after: string, lasting?: boolean|null}} PreviewLine
 * @typedef {{step: number, action_id: string, title: string, parameters: Record<string, unknown>, labels?: Record<string, string>,
 *   safety_tier: "normal"|"high_risk"|"blocked", reversible: boolean, preview?: PreviewLine[], status: StepStatus,
 *   confirm_label?: string|null, whom?: string|null, whom_after?: string|null, day?: string|null, required?: boolean, depends_on?: number[],
 *   when?: {step: number, ended: "completed"|"failed", text: string}|null, left_out?: string|null,
 *   read_only?: boolean}} PlannedAction
 * @typedef {{step: number, action_id: string, status: StepStatus, message: string, error_type?: string,
 *   started_at: string, finished_at: string}} ActionResult
 * @typedef {{prompt_id: string, question: string, choices?: string[], expires_at: string}} BlockingPrompt
 * @typedef {{step?: number|null, error_type: string, message: string, suggestions?: string[],
 *   quick_actions?: QuickAction[]}} PlanFailure
 * @typedef {{step: number, action_id: string, outcome: ReversalOutcome, message: string}} StepRollback
 * @typedef {{outcome: "complete"|"partial", trigger: "failure"|"cancelled"|"undo", steps?: StepRollback[],
 *   manual_steps?: string[]}} RollbackReport
 * @typedef {{decision: "applied"|"not_applied"|"done"|"ended", step?: number|null, by: string, at: string}} Decision
 * @typedef {{plan_id: string, session_id: string, user_id: string, venue_id: string, status: PlanStatus,
 *   intent: string, summary?: string|null, actions: PlannedAction[], created_at: string, expires_at: string,
 *   confirmed_at?: string|null, completed_at?: string|null, undo_until?: string|null, superseded_by?: string|null,
 *   blocking_prompt?: BlockingPrompt|null, results?: ActionResult[], failure?: PlanFailure|null,
 *   rollback?: {state: "running"|"waiting_for_sign_in"|"done"}|null, rollback_report?: RollbackReport|null,
 *   stopping?: boolean, stale?: boolean, notice?: string|null, decisions?: Decision[]|null}} ExecutionPlan
 *
 * @typedef {{plan_id: string, number: number, at: string, kind: string, text: string, step?: number|null,
 *   name?: string|null, reasoning?: string|null, confidence?: number|null, step_status?: StepStatus|null,
 *   error_type?: string|null, outcome?: ReversalOutcome|null, status?: PlanStatus|null, prompt_id?: string|null,
 *   choices?: string[]|null}} PlanEvent
 *
 * @typedef {{number: number, at: string,
 *   kind: "message"|"progress"|"plan"|"clarification"|"answer"|"escalation"|"error"|"person"|"lapsed"|"initiated"|"step_started"|
 *   "step_result"|"complete", text: string, plan_id?: string|null, request_id?: string|null, actions?: QuickAction[],
 *   step?: number|null, name?: string|null, step_status?: StepStatus|null, reference?: string|null}} Entry
 *
 * @typedef {{booking_id: string, reference?: string, guest_name?: string, date?: string|null,
 *   start_time?: string|null, guest_count?: number|null, status?: string, label?: string,
 *   cancelled?: boolean|null}} Booking
 * @typedef {{type: "plan", plan: ExecutionPlan, message?: string, quick_actions?: QuickAction[]}} PlanTurn
 * @typedef {{type: "clarification", question: string, candidates?: Booking[], quick_actions?: QuickAction[]}} AskTurn
 * @typedef {{type: "answer", message: string, quick_actions?: QuickAction[]}} AnswerTurn
 * @typedef {{type: "escalation", message: string, reason?: string, reference?: string, quick_actions?: QuickAction[]}} EscalationTurn
 * @typedef {PlanTurn|AskTurn|AnswerTurn|EscalationTurn} Turn
 *
 * @typedef {{venue_id: string, name: string, locale: string, time_zone: string, currency?: string,
 *   words?: Record<string, {one: string, many?: string, gender?: string}>}} Venue
 * @typedef {{signed_in: true, user_id: string, name?: string, demo?: boolean, expires_in?: number, venue: Venue,
 *   tries?: string[], temporal_ui?: string|null, namespace?: string|null, engineer?: boolean}} SignedIn
 * @typedef {{signed_in: false, way: "demo"|"host", sign_in_url?: string|null, locale?: string}} SignedOut
 * @typedef {{session_id: string, venue_id: string, messages: Entry[], plans?: ExecutionPlan[], cursor?: string,
 *   pending_plan_id?: string|null, active_prompt?: (BlockingPrompt & {plan_id: string})|null}} SessionSnapshot
 *
 * One step of a chat's reasoning, for engineers: `details` are what it was made of.
 * @typedef {{number: number, at: string, request_id: string, kind: "assessment"|"context"|"critique"|"decision",
 *   mode: "standard"|"adaptive", text: string, details: Record<string, unknown>}} ReasoningEntry
 *
 * @typedef {{step: number, parameter: string, value: string|number|boolean}} EditedValue
 * @typedef {{plan_id: string, values: EditedValue[]}} Edit
 *
 * A message of the operator that the chat has not shown yet. `turn` is its answer where the stream has not delivered it.
 * @typedef {{request_id: string, text: string, at: number, state: "sending"|"failed"|"answered", message?: string,
 *   edit?: Edit, turn?: Turn}} Outgoing
 *
 * A command on a plan that is being sent or has failed. `request_id` is reused for the next try. `away`: the server, a part of
 * it or the connection was unavailable; its message is cleared by the next fresh answer. `missed`: the server rejected it, as
 * the operator was signed out.
 * @typedef {{kind: "confirm"|"cancel"|"undo"|"answer"|"skip", request_id: string, state: "sending"|"failed"|"refused",
 *   message?: string, away?: boolean, missed?: boolean, text?: string, prompt_id?: string, step?: number}} Command
 *
 * A plan as the page knows it. `events` are those shown so far, in order. `live` are the steps that were watched.
 * @typedef {{plan: ExecutionPlan|null, events: readonly PlanEvent[], live: ReadonlySet<number>,
 *   command: Command|null}} PlanState
 *
 * The line to the service: lost and being tried again (`waiting`), answered with a refusal (`away`, in whose words), or
 * closed by a page that is hidden (`resting`).
 * @typedef {"connecting"|"live"|"waiting"|"away"|"offline"|"resting"} Link
 *
 * The operator's plans in other chats that run, are pending, or can be undone; whether they were read yet, why they could not
 * be, and which are being undone.
 * @typedef {{plans: readonly ExecutionPlan[], known: boolean, trouble: string|null, undoing: readonly string[]}} OtherPlans
 *
 * @typedef {{phase: "loading"|"ready"|"signed_out"|"failed", failure: string|null, session: SignedIn|null,
 *   out: SignedOut|null, chat: string, loaded: boolean, entries: readonly Entry[],
 *   plans: Readonly<Record<string, PlanState>>, others: OtherPlans, outbox: readonly Outgoing[],
 *   link: Link, cut: boolean, away: string|null}} State
 */

export {};
