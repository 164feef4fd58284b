import {createTextCache} from './text-cache.ts';

/** A pure function of a text that remembers its last results. `change` must leave printable ASCII alone: it is not asked. */
export function keepText(change: (text: string) => string, limits = defaultLimits): (text: string) => string {
	const results = createTextCache<string>(limits);
	return text => (/^[\n -~]*$/.test(text) ? text : results.get(text, () => change(text)));
}

const defaultLimits = {maxEntries: 2048, maxTextLength: 16_384};
