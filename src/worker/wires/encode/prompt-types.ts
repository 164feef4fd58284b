import type {ProviderData} from '../../history/item.ts';
import type {AssistantPart} from '../../history/model.ts';
import type {Sourced, Text, Tree} from './sourced.ts';

/** The messages of a request after the rules that all wires share were applied, with the source of each text. */
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
	/** Additional fields of the message for a server with a chat completions API. */
	readonly fields?: Readonly<Record<string, Tree>>;
	readonly isMarked?: boolean;
};

export type UserPart = {readonly type: 'text'; readonly text: Text} | MediaPart;

/** An image or a document. `data`: its bytes as base64. `of`: the message of the request to which it belongs. */
export type MediaPart = {
	readonly type: 'media';
	readonly mime: string;
	readonly data: Sourced<string>;
	readonly of: object;
};

/**
`of`: the part of the request from which this part was made. `provider`: the data that a provider stored with that part,
unchanged.
*/
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
	/** The arguments of the call as a JSON object. */
	readonly input: Sourced<Readonly<Record<string, unknown>>>;
	readonly provider?: ProviderData | undefined;
	/** The `extra_content` of the call for a server with a chat completions API. */
	readonly extra?: Tree;
	readonly of: AssistantPart;
};

export type ResultPart = {
	readonly callId: Sourced<string>;
	readonly name: Sourced<string>;
	readonly output: Text;
	readonly isError: boolean;
};
