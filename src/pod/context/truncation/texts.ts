import {en, t} from '../../../language/index.ts';

/** The text of the notice, which the model reads, too. `server`: the provider or the dialect of the server. */
export function truncatedText(read: number, of: number, server: string): string {
	const what = en`The server read about ${read} of ${of} tokens: the beginning of the context was dropped.`;
	return `${what}\n${fixes.get(server) ?? otherFix}`;
}

/** The ways to enlarge the window, by server. */
const fixes: ReadonlyMap<string, string> = new Map([
	[
		'ollama',
		en`Give Ollama a larger window: start it with OLLAMA_CONTEXT_LENGTH=32768, or set num_ctx in the model’s Modelfile.`,
	],
	['lmstudio', en`Load the model in LM Studio again with a larger context length.`],
	['llama.cpp', en`Start llama-server again with a larger --ctx-size.`],
	['vllm', en`Start vLLM again with a larger --max-model-len.`],
]);
const otherFix = en`Give the server a larger context window, use another model, or shorten the context with /compact.`;

export const guardTexts = {
	title: t`The server drops the beginning of the context. Send the next request anyway?`,
	turn: t`Send in this turn`,
	session: t`Send in this session`,
	deny: t`Do not send`,
	denied: t`Nothing was sent: the server drops the beginning of the context.`,
	/** `text`: the text of the notice. */
	stopped: (text: string) => en`The next request was not sent. ${oneLine(text)}`,
};

export function oneLine(text: string): string {
	return text.replaceAll('\n', ' ');
}
