/** The worker's one door. The pod imports from here and nothing deeper. */
export {isoTime, stamp, systemClock, type Clock} from './clock.ts';
export {createHistory, HistoryError, memoryLog, type History, type HistoryFailure, type Log} from './history.ts';
export type {Awaitable, Continue, ContinueWith, Interceptor} from './interceptor.ts';
export {itemTypes, parseItem} from './item.ts';
export type {Draft, Item, ItemOf, ItemType, Message, Outcome, ProviderData, RawOrigin, Reasoning, RequestItem, RunEnd, Settings, Setup, Stop, ToolCall, ToolDefinition, ToolResult, Usage} from './item.ts';
export type {AssistantPart, Model, ModelEvent, ModelFailure, ModelFailureReason, ModelMessage, ModelRequest, PartHead, ToolAnswer} from './model.ts';
export {defineTool, type Tool, type ToolCallContext, type ToolEffect, type ToolOutput} from './tool.ts';
