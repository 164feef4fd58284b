/** The properties of a model of the Messages API that affect a request. */
export type MessagesModel = {
	/** The output limit that is sent if the user has set no limit. */
	readonly maxOutputTokens: number;
	/** Whether `maxOutputTokens` is the model's maximum. The maximum of a model that is not in the table is unknown. */
	readonly isKnown: boolean;
	/** `adaptive`: the model has effort levels. `budget`: the model gets a maximum number of thinking tokens. */
	readonly thinking: 'adaptive' | 'budget';
	/** What is sent so that the model thinks as little as possible. Thinking cannot be disabled on every model. */
	readonly leastThinking: 'disabled' | 'between_tools' | 'low_effort';
	/** Whether the model has the effort `xhigh`. */
	readonly hasXhigh: boolean;
	/** Whether the model accepts `temperature` and `top_p`. */
	readonly hasSampling: boolean;
	/** Whether requests with tools name the beta feature of structured outputs. */
	readonly hasStructuredOutputs: boolean;
};

/**
Returns the properties of a model. `name` may contain more than the model's name, for example the prefix of a gateway.
*/
export function messagesModel(name: string): MessagesModel {
	return table.find(([pattern]) => pattern.test(name))?.[1] ?? (isClaude(name) ? newerClaude : otherModel);
}

/** Tells whether a model is one of Anthropic's. */
export function isClaude(name: string): boolean {
	return name.includes('claude-');
}

const otherModel: MessagesModel = {
	maxOutputTokens: 4096,
	isKnown: false,
	thinking: 'budget',
	leastThinking: 'disabled',
	hasXhigh: false,
	hasSampling: true,
	hasStructuredOutputs: false,
};
const claude3: MessagesModel = {...otherModel, isKnown: true};
const claude45: MessagesModel = {...claude3, maxOutputTokens: 64_000, hasStructuredOutputs: true};
const claude46: MessagesModel = {...claude45, maxOutputTokens: 128_000, thinking: 'adaptive'};
const claude5: MessagesModel = {...claude46, hasXhigh: true, hasSampling: false};
/** The properties of a model by Anthropic that is not in the table, and so is newer than the table. */
const newerClaude: MessagesModel = {...claude5, isKnown: false};

/**
The first row whose pattern matches is used. The rows are those of `@ai-sdk/anthropic` 4.0.105
(src/anthropic-model-catalog.ts), which earlier versions used. Stored requests depend on these rows, so changing one
requires a new version of the rules (dialects.ts).
*/
const table: ReadonlyArray<readonly [RegExp, MessagesModel]> = [
	[/claude-sonnet-5-5/, {...claude5, leastThinking: 'between_tools'}],
	[/claude-opus-5-5|claude-fable-5/, {...claude5, leastThinking: 'low_effort'}],
	[/claude-haiku-5-5|claude-(?:opus|sonnet)-5|claude-opus-4-[78]/, claude5],
	[/claude-(?:opus|sonnet)-4-6/, claude46],
	[/claude-(?:opus|sonnet|haiku)-4-5/, claude45],
	[/claude-opus-4-1/, {...claude45, maxOutputTokens: 32_000}],
	[/claude-sonnet-4[-@]/, {...claude3, maxOutputTokens: 64_000}],
	[/claude-opus-4[-@]/, {...claude3, maxOutputTokens: 32_000}],
	[/claude-3-haiku/, claude3],
	[/claude-(?:instant(?:-|$)|v?2(?=$|[-.:])|3(?=$|[-.]))/, otherModel],
];
