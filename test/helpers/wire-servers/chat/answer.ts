import {argumentsText, splitText, type Answer, type StepOf} from '../../../../src/worker/wires/script.ts';
import type {Ledger} from '../ledger.ts';
import {callIdOf, isInterruption, paced, stopOf, usageOf, type Frame, type Json} from '../speech.ts';
import type {ChatServer} from './chat-server.ts';
import {markersOf, sortedJson} from './thoughts.ts';

type Form = ChatServer['answers'];

/** An answer as a server streams it. */
export function* chatFrames(form: Form, answer: Answer, n: number, ledger: Ledger): Iterable<Frame> {
	const usage = countsOf(answer);
	const chunk = (delta: Json, more: Json = {}): {sse: string} =>
		event({
			...head(n),
			choices: [{index: 0, delta, finish_reason: null, ...more}],
			...(form.usage === 'every event' && {usage}),
		});
	yield chunk({role: 'assistant', content: ''});
	yield* deltas({form, answer, n, ledger, chunk});
	const finish_reason = finishReasons[stopOf(answer)] ?? 'stop';
	if (form.usage === 'choice') yield chunk({}, {finish_reason, usage});
	else if (form.usage === 'finish') yield event({...head(n), choices: [{index: 0, delta: {}, finish_reason}], usage});
	else yield chunk({}, {finish_reason});
	if (form.usage === 'own event') yield event({...head(n), choices: [], usage});
	yield {sse: 'data: [DONE]\n\n'};
}

const finishReasons: Readonly<Partial<Record<string, string>>> = {
	end: 'stop',
	tool_calls: 'tool_calls',
	length: 'length',
	refused: 'content_filter',
	other: 'strange',
};

function countsOf(answer: Answer): Json {
	const {input, output, cacheRead, reasoning} = usageOf(answer);
	return {
		prompt_tokens: input,
		completion_tokens: output,
		total_tokens: input + output,
		prompt_tokens_details: {cached_tokens: cacheRead},
		completion_tokens_details: {reasoning_tokens: reasoning},
	};
}

function event(data: Json): {sse: string} {
	return {sse: `data: ${JSON.stringify(data)}\n\n`};
}

function head(n: number): Json {
	return {id: `chatcmpl-${n}`, object: 'chat.completion.chunk', created: 1_700_000_000, model: 'served'};
}

type Writing = {
	readonly form: Form;
	readonly answer: Answer;
	readonly n: number;
	readonly ledger: Ledger;
	readonly chunk: (delta: Json, more?: Json) => {sse: string};
};

function* deltas(writing: Writing): Iterable<Frame> {
	const {form, answer, n, ledger, chunk} = writing;
	const thoughts: string[] = [];
	const details: Json[] = [];
	const calls: Json[] = [];
	for (const [index, step] of answer.entries()) {
		if (isInterruption(step)) yield {step};
		else if (step.type === 'text')
			for (const content of splitText(step.text, step.chunk)) yield paced(chunk({content}).sse, step);
		else if (step.type === 'reasoning') {
			thoughts.push(step.text);
			yield* thoughtFrames(writing, step, details);
		} else if (step.type === 'tool_call') {
			const call = callOf(step, callIdOf(step, n, index));
			calls.push(call);
			const signature =
				form.thoughts === 'extra_content' && calls.length === 1 && thoughts.length > 0
					? ledger.sign('')
					: undefined;
			yield* callFrames(writing, {step, call, index: calls.length - 1, signature});
			const owed = signature ?? owedBy(form, thoughts, details);
			// Gemini signs only the first of several calls.
			if (owed !== undefined && (form.thoughts !== 'extra_content' || calls.length === 1))
				ledger.owe(markersOf(form, [call])[0]!, [owed]);
		}
	}
}

function owedBy(form: Form, thoughts: readonly string[], details: readonly Json[]): string | undefined {
	if (thoughts.length === 0 || form.thoughts === 'extra_content') return undefined;
	return form.thoughts === 'reasoning_details' ? sortedJson(details) : thoughts.join('').trim();
}

function* thoughtFrames({form, chunk, ledger}: Writing, step: StepOf<'reasoning'>, details: Json[]): Iterable<Frame> {
	const pieces = splitText(step.text, step.chunk);
	const {thoughts} = form;
	if (thoughts === 'think tags') {
		yield chunk({content: '<think>\n'});
		for (const content of pieces) yield paced(chunk({content}).sse, step);
		yield chunk({content: '</think>\n\n'});
	} else if (thoughts === 'content parts') {
		for (const text of pieces)
			yield paced(chunk({content: [{type: 'thinking', thinking: [{type: 'text', text}]}]}).sse, step);
	} else if (thoughts === 'extra_content') {
		for (const content of pieces) yield paced(chunk({content, extra_content: {google: {thought: true}}}).sse, step);
	} else if (thoughts === 'reasoning_details') {
		const format = 'anthropic-claude-v1';
		const block = {type: 'reasoning.text', format, index: details.length};
		for (const text of pieces)
			yield paced(chunk({reasoning: text, reasoning_details: [{...block, text}]}).sse, step);
		const signature = ledger.sign(step.text);
		yield chunk({reasoning_details: [{...block, signature}]});
		const sealed = {type: 'reasoning.encrypted', data: ledger.sign(''), id: 'rs_1', format, index: block.index + 1};
		yield chunk({reasoning_details: [sealed]});
		details.push({...block, text: step.text, signature}, sealed);
	} else for (const text of pieces) yield paced(chunk({[thoughts]: text}).sse, step);
}

function callOf(step: StepOf<'tool_call'>, id: string): Json {
	return {id, type: 'function', function: {name: step.name, arguments: argumentsText(step)}};
}

type CallToWrite = {
	readonly step: StepOf<'tool_call'>;
	readonly call: Json;
	readonly index: number;
	readonly signature: string | undefined;
};

function* callFrames({form, chunk}: Writing, {step, call, index, signature}: CallToWrite): Iterable<Frame> {
	const extra = signature === undefined ? {} : {extra_content: {google: {thought_signature: signature}}};
	if (form.calls === 'whole') {
		yield paced(chunk({tool_calls: [{index, ...call}]}).sse, step);
		return;
	}
	if (form.calls === 'without ids') {
		const {id: _, ...unnamed} = call;
		yield paced(chunk({tool_calls: [{index, ...unnamed, ...extra}]}).sse, step);
		return;
	}
	const {name, arguments: args} = call.function;
	yield chunk({tool_calls: [{index, id: call.id, type: 'function', function: {name, arguments: ''}, ...extra}]});
	for (const text of splitText(args, step.chunk))
		yield paced(chunk({tool_calls: [{index, function: {arguments: text}}]}).sse, step);
}
