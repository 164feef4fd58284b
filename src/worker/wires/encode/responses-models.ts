import type {KnownSettings} from '../settings.ts';

/**
What the models of the Responses API accept. The values are copied from @ai-sdk/openai 4.0.118
(src/openai-model-catalog.ts). Changing them would change the requests of stored sessions, so that these requests could
no longer be verified.
*/
export type ResponsesModel = {
	/**
	Whether the model reasons. Such a model gets the system prompt in the role `developer`, and its thoughts are sent
	back encrypted.
	*/
	readonly reasons: boolean;
	readonly efforts: readonly Effort[];
	/** Whether the temperature and top_p of a reasoning model are accepted with the effort `none`. */
	readonly samplesAtNone: boolean;
};

export type Effort = NonNullable<KnownSettings['reasoning']>;

/** Returns what a model accepts, by its name. `rules`: the version of the rules of the request. */
export function responsesModel(model: string, rules: number): ResponsesModel {
	const gpt = gptVersion(model);
	const isKnown = oSeries.test(model) || (gpt !== undefined && gpt.major >= 5 && !isChat(gpt));
	const isConfigurable = configurable.has(model);
	return {
		reasons: isKnown || (rules >= 2 && isUnlistedReasoningModel(model)),
		efforts: isConfigurable ? ['none', ...effortsOf6] : effortsOf(gpt),
		samplesAtNone: isConfigurable || (gpt?.major === 5 && (gpt.minor ?? 0) >= 1),
	};
}

/**
Returns the effort itself if the model accepts it. Otherwise returns the next lower effort that the model accepts, or
the next higher effort if the model accepts no lower effort.
*/
export function acceptedEffort(wanted: Effort, efforts: readonly Effort[]): Effort | undefined {
	const index = levels.indexOf(wanted);
	const lower = levels.slice(0, Math.max(index, 0)).reverse();
	return [wanted, ...lower, ...levels.slice(index + 1)].find(effort => efforts.includes(effort));
}

/** The levels from the lowest to the highest. `none` is not a level, so that no other effort becomes `none`. */
const levels: readonly Effort[] = ['minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/** The models of GPT-6 that also accept `none`. */
const configurable: ReadonlySet<string> = new Set(['gpt-6.1-terra', 'gpt-6-luna', 'gpt-6-sol']);

const effortsOf6: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** The efforts that the minor versions of GPT-5 accept. Each row applies up to its minor version. */
const effortsOf5: ReadonlyArray<readonly [number, readonly Effort[]]> = [
	[0, ['minimal', 'low', 'medium', 'high']],
	[1, ['none', 'low', 'medium', 'high']],
	[5, ['none', 'low', 'medium', 'high', 'xhigh']],
	[Number.POSITIVE_INFINITY, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
];

type GptVersion = {readonly major: number; readonly minor?: number; readonly variant?: string};

function effortsOf(gpt: GptVersion | undefined): readonly Effort[] {
	if (gpt !== undefined && gpt.major >= 6) return effortsOf6;
	const isStandard = gpt?.major === 5 && (gpt.variant === undefined || standard.test(gpt.variant));
	const known = isStandard ? effortsOf5.find(([minor]) => (gpt.minor ?? 0) <= minor) : undefined;
	return known?.[1] ?? ['none', ...levels];
}

/** Matches the variants of GPT-5 whose efforts are known. */
const standard = /^(?:(?:mini|nano|sol|luna|terra)(?:-\d{4}-\d{2}-\d{2})?|\d{4}-\d{2}-\d{2})$/;

function isChat({minor, variant}: GptVersion): boolean {
	return minor === undefined && variant?.startsWith('chat') === true;
}

const oSeries = /^o\d+(?:-|$)/;

function gptVersion(model: string): GptVersion | undefined {
	const {major, minor, variant} =
		/^gpt-(?<major>\d+)(?:\.(?<minor>\d+))?(?:-(?<variant>.+))?$/.exec(model)?.groups ?? {};
	if (major === undefined) return undefined;
	return {
		major: Number(major),
		...(minor !== undefined && {minor: Number(minor)}),
		...(variant !== undefined && {variant}),
	};
}

/**
Tells whether a model reasons although the table does not recognise it by its name. The encrypted reasoning of such a
model must be requested, because the reasoning is lost otherwise. A server refuses such a request for a model that does
not reason, so the table decides about all other names. The result depends only on the name, because inkpod must be able
to compose the same request again without the server.
*/
export function isUnlistedReasoningModel(model: string): boolean {
	if (listed.test(model)) return false;
	const name = model.replace(/^ft:/, '').replace(/^.*\//, '');
	return reasoning.test(name) && !notReasoning.test(name);
}

/** Matches the names about which the table decides. */
const listed = /^(?:gpt-\d+(?:\.\d+)?(?:-|$)|o\d+(?:-|$)|gpt-4o(?:-|$))/;

/**
Matches GPT-5 and later, the o-series, and models that are based on these (developers.openai.com/api/docs/models).
*/
const reasoning = /^(?:gpt-|gpt[5-9]|o\d|codex|computer-use)/i;

/** Matches older models, chat models, and models of other kinds. */
const notReasoning = /^gpt-(?:[34]|[5-9](?:\.\d+)?-(?:chat|search)|audio|image|realtime)/i;
