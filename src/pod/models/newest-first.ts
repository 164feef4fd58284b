/**
Returns the models of one provider with the newest first, by the versions in their ids: the data has no dates. Models of
the same vendor (`openai/gpt-5`) stay together, and those without a version come last.
*/
export function newestFirst<Model>(models: readonly Model[], idOf: (model: Model) => string): readonly Model[] {
	const vendors = new Map<string, number>();
	const keyed = models.map(model => {
		const id = idOf(model);
		const vendor = id.slice(0, Math.max(0, id.lastIndexOf('/')));
		if (!vendors.has(vendor)) vendors.set(vendor, vendors.size);
		return {model, vendor: vendors.get(vendor) ?? 0, version: versionOf(id.slice(id.lastIndexOf('/') + 1))};
	});
	return keyed
		.toSorted((one, other) => one.vendor - other.vendor || other.version - one.version)
		.map(({model}) => model);
}

/** Returns the first version in an id as one number: 5.04 for `gpt-5.4` and `claude-opus-5-4`. */
function versionOf(id: string): number {
	const plain = id
		.replaceAll(/20\d\d-?\d\d-?\d\d/g, '')
		.replaceAll(/\d+(?:\.\d+)?(?:x\d+)?[bk](?![a-z])/gi, '')
		.replaceAll(/\d{3,}/g, '');
	const found = /(\d{1,2})(?:[.p-](\d{1,2})(?!\d))?/.exec(plain);
	return found === null ? -1 : Number(found[1]) + Number(found[2] ?? 0) / 100;
}
