/** The public interface of the worker. The pod imports the worker only from this file. */
export type {Attribution} from './wires/attribution/attribute.ts';
export type {WorkerStep} from './loop/request-with-retries.ts';
export {elapsed, isoTime, moment, stamp, systemClock, wait, type Clock} from './history/clock.ts';
export type {ContextPiece, SentPart} from './history/composer.ts';
export {lastSetup, type ComposedRequest} from './history/context.ts';
export {cutText} from './history/cut-text.ts';
export {createExtension, type Extension} from './history/extension.ts';
export {foldOf} from './history/fold.ts';
export {createGrowingContext, type GrowingContext} from './history/growing-context.ts';
export {createGuardedFetch, loadConnections} from './wires/http/guarded-fetch.ts';
export {keyForms} from './wires/http/key-forms.ts';
export {loadWebParts, type Proxy, type Source} from './wires/http/load-web-parts.ts';
export type {CertificatePlaces, Network} from './wires/http/network.ts';
export {networkProblems} from './wires/http/network-problems.ts';
export {proxyErrorIn} from './wires/http/proxy-error.ts';
export {
	authorizationOf,
	keysInPath,
	proxyURL,
	secretsOf,
	shownUrl,
	withoutCredentials,
} from './wires/http/shown-url.ts';
export {
	createHistory,
	HistoryError,
	memoryLog,
	notifyAll,
	type History,
	type HistoryFailure,
	type Log,
} from './history/history.ts';
export type {CallFacts, Interceptor} from './loop/interceptor.ts';
export {createHistoryReader} from './loop/history-reader.ts';
export {interruptedOutput, interruptedPart, stoppedSummary} from './history/interrupted.ts';
export {closingOutput, type Interruption} from './loop/interruption.ts';
export {itemTypes, parseItem} from './history/item.ts';
export type {
	AnsweredBy,
	Draft,
	Item,
	ItemOf,
	ItemType,
	Message,
	Outcome,
	RawOrigin,
	Reasoning,
	RequestEnd,
	RequestItem,
	RunEnd,
	Settings,
	Setup,
	ToolCall,
	ToolDefinition,
	ToolResult,
	Usage,
} from './history/item.ts';
export {estimateMedia, type Media, type ReadMedia} from './history/media.ts';
export type {Model, ModelEvent, ModelFailureReason, ModelMessage, ModelRequest, PartHead} from './history/model.ts';
export type {CloudAccess} from './wires/cloud-access.ts';
export {describeModel, isOwnServer, listModelsAt, type ModelDescription} from './wires/describe.ts';
export {dialectNames, dialects, type DialectName} from './wires/dialects.ts';
export {formNames, nextForm, withForms, type FormName} from './wires/forms.ts';
export {jointsOf, type Joints} from './wires/joints.ts';
export type {KeyCheck} from './wires/check-key.ts';
export {
	checkKey,
	listedProviders,
	loadModel,
	providerFacts,
	requestSettings,
	wireOf,
	type ModelSpec,
	type ServerSettings,
} from './wires/load.ts';
export {inputSetting, mediaLimits, mediaProblems, type MediaLimits, type MediaProblem} from './wires/media-limits.ts';
export {isLoopback} from './wires/http/loopback.ts';
export {wireNames, type WireName} from './wires/providers.ts';
export {requestBody, type RequestBody} from './wires/request-body.ts';
export {joinNotes, notesAfter, notesBefore} from './history/rewrite-notes.ts';
export {rewriteRules, type Rewrite, type RewriteNotes, type RewriteRule} from './history/rewrites.ts';
export {parseScript} from './parse-script.ts';
export type {Answer} from './wires/script.ts';
export {scriptedModel} from './wires/scripted.ts';
export {pairResults, partialResults} from './history/pairs.ts';
export type {OriginRules} from './history/origin-rules.ts';
export {liveItems} from './history/projection.ts';
export {quickCheck} from './history/quick-check.ts';
export {
	answerEnd,
	answerStart,
	createRequestPairing,
	finishedRequests,
	isWhole,
	requestsOf,
	type AnswerEnd,
	type FinishedRequest,
	type SentRequest,
} from './history/requests.ts';
export {
	defineTool,
	type Tool,
	type ToolCallContext,
	type ToolEffect,
	type ToolInspection,
	type ToolMoved,
	type ToolOutput,
	type ToolPreview,
} from './loop/tool.ts';
export type {NamedTool} from './loop/prepare-call.ts';
export {runToolCalls} from './loop/tool-calls.ts';
export type {Delta} from './loop/turn.ts';
export {hasHalves, withWholeCharacters} from './history/whole-characters.ts';
export {
	createWorker,
	setupChange,
	type RunOptions,
	type RunResult,
	type Worker,
	type WorkerLimits,
} from './loop/worker.ts';
