/** The public interface of the worker. The pod imports only from here. */
export type {Attribution} from './attribution/attribute.ts';
export type {WorkerStep} from './attempts.ts';
export {isoTime, moment, stamp, systemClock, wait, type Clock} from './clock.ts';
export type {ContextPiece, SentPart} from './composer.ts';
export {lastSetup, type ComposedRequest} from './context.ts';
export {cutText} from './cut-text.ts';
export {createExtension, type Extension} from './extension.ts';
export {foldOf} from './fold.ts';
export {createGrowingContext, type GrowingContext} from './growing-context.ts';
export {createGuardedFetch} from './http/guarded-fetch.ts';
export {keyForms} from './http/key-forms.ts';
export {loadWebParts, type Proxy, type Source} from './http/load-web-parts.ts';
export type {CertificatePlaces, Network} from './http/network.ts';
export {networkProblems} from './http/network-problems.ts';
export {proxyErrorIn} from './http/proxy-error.ts';
export {authorizationOf, keysInPath, proxyURL, secretsOf, shownUrl, withoutCredentials} from './http/shown-url.ts';
export {
	createHistory,
	HistoryError,
	memoryLog,
	notifyAll,
	type History,
	type HistoryFailure,
	type Log,
} from './history.ts';
export type {CallFacts, Interceptor} from './interceptor.ts';
export {createHistoryReader} from './history-reader.ts';
export {interruptedOutput, interruptedPart, stoppedSummary} from './interrupted.ts';
export {closingOutput, type Interruption} from './interruption.ts';
export {itemTypes, parseItem} from './item.ts';
export type {
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
	ToolResult,
	Usage,
} from './item.ts';
export {estimateMedia, type Media, type ReadMedia} from './media.ts';
export type {Model, ModelEvent, ModelFailureReason, ModelMessage, ModelRequest, PartHead} from './model.ts';
export type {GuideTool} from './models/offline/guide-tools.ts';
export type {CloudAccess} from './models/cloud-access.ts';
export {describeModel, type ModelDescription} from './models/describe.ts';
export {dialectNames, dialects, stricterSettings, type DialectName} from './models/dialects.ts';
export {jointsOf, type Joints} from './models/joints.ts';
export type {KeyCheck} from './models/check-key.ts';
export {
	checkKey,
	listedProviders,
	loadModel,
	providerFacts,
	requestSettings,
	wireOf,
	type ModelSpec,
	type ServerSettings,
} from './models/load.ts';
export {inputSetting, mediaLimits, mediaProblems, type MediaLimits, type MediaProblem} from './models/media-limits.ts';
export {wireNames, type WireName} from './models/providers.ts';
export {requestBody, type RequestBody} from './models/request-body.ts';
export {rewriteRules, type Rewrite, type RewriteNotes, type RewriteRule} from './rewrites.ts';
export {parseScript, type Answer} from './models/script.ts';
export {scriptedModel} from './models/scripted.ts';
export {pairResults, partialResults} from './pairs.ts';
export type {OriginRules} from './origin-rules.ts';
export {liveItems} from './projection.ts';
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
} from './requests.ts';
export {
	defineTool,
	type Tool,
	type ToolCallContext,
	type ToolEffect,
	type ToolInspection,
	type ToolMoved,
	type ToolOutput,
	type ToolPreview,
} from './tool.ts';
export {runToolCalls} from './tool-calls.ts';
export type {Delta} from './turn.ts';
export {hasHalves, withWholeCharacters} from './whole-characters.ts';
export {createWorker, type RunOptions, type RunResult, type Worker, type WorkerLimits} from './worker.ts';
