import {z} from 'zod';
import type {Item, ToolDefinition} from './item.ts';

/** What a tool may do to the world: `read` runs without asking; the others are the approvals' business. */
export type ToolEffect = 'read' | 'write' | 'execute';

/** A tool as the worker runs it. `execute` may throw: the worker turns it into an error result. */
export type Tool = {
	readonly definition: ToolDefinition;
	readonly effect: ToolEffect;
	/** Checks arguments that were parsed from JSON: a sentence for the model when they do not fit. */
	check(args: unknown): {readonly ok: true; readonly args: unknown} | {readonly ok: false; readonly message: string};
	/**
	What a call will touch, where its arguments alone do not say it: the place where a path leads to. All decisions are
	about it.
	Changes nothing. A tool that names a target compares it with what it has opened, before any effect: see `ToolMoved`.
	*/
	target?(args: unknown): Promise<string>;
	/**
	Whether other programs run by themselves what a target contains. Decisions go by it. A tool that says so asks again
	before it changes the target: one that was none then is `ToolMoved`.
	*/
	isRunLater?(target: string): Promise<boolean>;
	execute(args: unknown, call: ToolCallContext): Promise<ToolOutput | ToolMoved>;
	/** What a call would do, whole, for somebody who is to allow it. Changes nothing. Absent: the arguments say it. */
	preview?(args: unknown, look: ToolInspection): Promise<ToolPreview>;
	/**
	What somebody is to be asked before a call runs, whatever is allowed, if anything. Changes nothing;
	what was not confirmed `execute` refuses.
	*/
	confirmation?(args: unknown, look: ToolInspection): Promise<ToolConfirmation | undefined>;
};

/** What was opened is not the call's target: nothing was done. The worker starts the call over, decisions included. */
export type ToolMoved = 'moved';

/** `target` and `isRunLater`: what the tool's own functions answered for this call. */
export type ToolInspection = {
	readonly target?: string | undefined;
	readonly isRunLater?: boolean;
	readonly signal: AbortSignal;
};

/** `confirm`: they said yes, to the call with these very arguments. Untrusted text. */
export type ToolConfirmation = {readonly title: string; readonly detail: string; readonly confirm: () => void};

/**
`detail`: the whole command, or the whole unified diff. Untrusted text. `fails`: why the call would do nothing now, as
the tool would say it.
*/
export type ToolPreview = {
	readonly title: string;
	readonly detail: string;
	readonly shows: 'command' | 'diff' | 'text';
	readonly fails?: string;
};

export type ToolCallContext = ToolInspection & {
	/** Of the call's item: unlike the model's `callId` no other call has it. */
	readonly id: string;
	readonly callId: string;
	/** Live output for the screen; what counts is the returned content. */
	readonly progress: (text: string) => void;
};

export type ToolOutput = {
	/** One line for the screen. */
	readonly summary: string;
	/** What the model reads. */
	readonly content: string;
	readonly isError?: boolean;
	/** Kept in the result's item, and never in a request. */
	readonly details?: Readonly<Record<string, unknown>>;
	/** Committed with the result, in one append. */
	readonly items?: readonly Item[];
	/** The call was stopped before its end, and this is its output so far: it stays open. */
	readonly isPartial?: boolean;
	/** Called once the result is in history. Until then the tool keeps what the result was made of. */
	readonly onCommitted?: () => Promise<void>;
};

/** A tool from a zod schema: the definition's JSON schema and the check are made from it. */
export function defineTool<Input extends z.ZodObject>(spec: {
	readonly name: string;
	readonly description: string;
	readonly effect: ToolEffect;
	readonly input: Input;
	readonly target?: (args: z.infer<Input>) => Promise<string>;
	readonly isRunLater?: (target: string) => Promise<boolean>;
	readonly execute: (args: z.infer<Input>, call: ToolCallContext) => Promise<ToolOutput | ToolMoved>;
	readonly preview?: (args: z.infer<Input>, look: ToolInspection) => Promise<ToolPreview>;
	readonly confirmation?: (args: z.infer<Input>, look: ToolInspection) => Promise<ToolConfirmation | undefined>;
}): Tool {
	const {target, isRunLater, preview, confirmation} = spec;
	const {$schema: _, ...parameters} = z.toJSONSchema(spec.input, {io: 'input'});
	return {
		definition: {name: spec.name, description: spec.description, parameters},
		effect: spec.effect,
		check(args) {
			const parsed = spec.input.safeParse(args);
			return parsed.success ? {ok: true, args: parsed.data} : {ok: false, message: z.prettifyError(parsed.error)};
		},
		execute: async (args, call) => spec.execute(args as z.infer<Input>, call),
		...(target && {target: async (args: unknown) => target(args as z.infer<Input>)}),
		...(isRunLater && {isRunLater}),
		...(preview && {preview: async (args: unknown, look: ToolInspection) => preview(args as z.infer<Input>, look)}),
		...(confirmation && {
			confirmation: async (args: unknown, look: ToolInspection) => confirmation(args as z.infer<Input>, look),
		}),
	};
}
