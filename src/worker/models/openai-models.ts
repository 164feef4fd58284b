/**
Tells whether a model reasons although the provider package does not recognise it by its name. The encrypted reasoning
of such a model must be requested, because it is lost otherwise. A server refuses that request for a model that does not
reason, so inkpod leaves all other names to the package. Only the name decides, because it must be possible to make a
request again without its server.
*/
export function isUnlistedReasoningModel(model: string): boolean {
	if (packageNames.test(model)) return false;
	const name = model.replace(/^ft:/, '').replace(/^.*\//, '');
	return reasoning.test(name) && !notReasoning.test(name);
}

/** Matches the names about which the package itself decides (`getGptVersion` and `getOSeriesVersion`). */
const packageNames = /^(?:gpt-\d+(?:\.\d+)?(?:-|$)|o\d+(?:-|$)|gpt-4o(?:-|$))/;

/** Matches GPT-5 and later, the o-series and models that are based on them. (developers.openai.com/api/docs/models) */
const reasoning = /^(?:gpt-|gpt[5-9]|o\d|codex|computer-use)/i;

/** Matches older models, chat models, and models of other kinds. */
const notReasoning = /^gpt-(?:[34]|[5-9](?:\.\d+)?-(?:chat|search)|audio|image|realtime)/i;
