import type {ProviderData} from '../../history/item.ts';
import type {AssistantPart} from '../../history/model.ts';
import type {Sourced, Text, Tree} from './sourced.ts';

/** The messages of a request after the rules that all wires share, with the source of each text. */
export type Prompt = readonly PromptMessage[];

export type PromptMessage =
	| {readonly role: 'system'; readonly content: Text; readonly isMarked?: boolean}
	| {readonly role: 'user'; readonly content: readonly UserPart[]; readonly isMarked?: boolean}
	| AnswerMessage
	| {readonly role: 'tool'; readonly content: readonly ResultPart[]; readonly isMarked?: boolean};

/** `isMarked`: the provider may cache everything up to the end of this message. */
type AnswerMessage = {
	readonly role: 'assistant';
	readonly content: readonly AnswerPart[];
	/** Further fields of the message, as a server of chat completions wants them. */
	readonly fields?: Readonly<Record<string, Tree>>;
	readonly isMarked?: boolean;
};

export type UserPart = {readonly type: 'text'; readonly text: Text} | MediaPart;

/** An image or a document. `data`: its bytes as base64. `of`: the message that it belongs to. */
export type MediaPart = {
	readonly type: 'media';
	readonly mime: string;
	readonly data: Sourced<string>;
	readonly of: object;
};

/** `of`: the part of the request. `provider`: what a provider stored with it, unchanged. */
export type AnswerPart =
	| {
			readonly type: 'text' | 'reasoning';
			readonly text: Text;
			readonly provider?: ProviderData | undefined;
			readonly of: AssistantPart;
	  }
	| CallPart;

export type CallPart = {
	readonly type: 'call';
	readonly callId: Sourced<string>;
	readonly name: Sourced<string>;
	/** The arguments as a JSON object. */
	readonly input: Sourced<Readonly<Record<string, unknown>>>;
	readonly provider?: ProviderData | undefined;
	/** What a server of chat completions wants beside the function. */
	readonly extra?: Tree;
	readonly of: AssistantPart;
};

export type ResultPart = {
	readonly callId: Sourced<string>;
	readonly name: Sourced<string>;
	readonly output: Text;
	readonly isError: boolean;
};
