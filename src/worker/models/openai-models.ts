/**
Whether a model reasons, although the provider package does not say so by its name. Its encrypted reasoning must be
asked for: it is lost otherwise. A server refuses that for a model that does not reason, so other names are left to the
package. The name alone decides, because a request must be made again without its server.
*/
export function isUnlistedReasoningModel(model: string): boolean {
	if (packageNames.test(model)) return false;
	const name = model.replace(/^ft:/, '').replace(/^.*\//, '');
	return reasoning.test(name) && !notReasoning.test(name);
}

/** The names that the package itself decides about (`getGptVersion` and `getOSeriesVersion`). */
const packageNames = /^(?:gpt-\d+(?:\.\d+)?(?:-|$)|o\d+(?:-|$)|gpt-4o(?:-|$))/;

/** GPT-5 and later, the o-series and what is made of it. (developers.openai.com/api/docs/models) */
const reasoning = /^(?:gpt-|gpt[5-9]|o\d|codex|computer-use)/i;

/** Older models, chat models, and those of other kinds. */
const notReasoning = /^gpt-(?:[34]|[5-9](?:\.\d+)?-(?:chat|search)|audio|image|realtime)/i;
