import type {AnsweredBy} from '../../history/item.ts';

/** The facts that one event or one set of headers states about an answer. A server may send any value. */
export type SaidFacts = Readonly<Partial<Record<keyof typeof factNames, unknown>>>;

const factNames = {model: true, fingerprint: true, region: true, id: true} as const;

/** Collects what a server says about an answer. */
type SaidBy = {
	note(facts: SaidFacts): void;
	/** Returns the facts if they have changed since the last call. Returns nothing before the server names a model. */
	take(): AnsweredBy | undefined;
};

/**
`asked`: the name of the model in the request. Many servers begin with this name and send their own later, so the first
other name counts. A later value replaces every other fact.
*/
export function createAnsweredBy(asked: string): SaidBy {
	let said: Partial<AnsweredBy> = {};
	let isChanged = false;

	function set(name: keyof typeof factNames, value: unknown): void {
		if (typeof value !== 'string' || value === '' || said[name] === value) return;
		if (name === 'model' && said.model !== undefined && said.model !== asked) return;
		said = {...said, [name]: value};
		isChanged = true;
	}

	return {
		note({model, fingerprint, region, id}) {
			set('model', model);
			set('fingerprint', fingerprint);
			set('region', region);
			set('id', id);
		},
		take() {
			const {model} = said;
			if (!isChanged || model === undefined) return undefined;
			isChanged = false;
			return {...said, model};
		},
	};
}

/** Returns what the headers of an answer say about it. Their names are in lower case. */
export function answeredInHeaders(headers: Readonly<Record<string, string>>): SaidFacts {
	const first = (names: readonly string[]) => names.map(name => headers[name]).find(value => value !== undefined);
	return {model: first(factHeaders.model), region: first(factHeaders.region), id: first(factHeaders.id)};
}

/** The headers that contain facts about the answer. The id in the answer itself has priority over these ids. */
const factHeaders = {
	// OpenAI names the model that answered instead of the requested model.
	model: ['openai-model'],
	// learn.microsoft.com/azure/ai-services/openai, console.groq.com
	region: ['x-ms-region', 'x-groq-region'],
	// platform.claude.com/docs/en/api/errors, docs.aws.amazon.com/AWSEC2/latest/APIReference/CommonErrors
	id: ['request-id', 'x-amzn-requestid', 'apim-request-id', 'x-request-id'],
} as const;
