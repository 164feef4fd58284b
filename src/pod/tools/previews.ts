/** A file and what it holds: a real path, and the sha256 of its bytes, where there are any. */
export type FilePlace = {readonly real: string; readonly sha256?: string | undefined};

/** What was shown of changes that somebody is to allow, by the arguments of their calls. */
export type Previews = {
	/** Of a call this was shown. No place: that it cannot be done. */
	shown(call: object, place: FilePlace | undefined): void;
	/**
	Whether a call meets what was shown of it, but for changes that were made through this program since. True for one
	that was not shown.
	*/
	isAsShown(call: object, place: FilePlace): boolean;
	/** This program changed the file to that. */
	changed(before: FilePlace, after: string): void;
};

export function createPreviews(): Previews {
	const known = new WeakMap<
		object,
		{readonly place: FilePlace | undefined; /** Of `made` then. */ readonly at: number}
	>();
	const made: Array<{readonly before: FilePlace; readonly after: string}> = [];
	return {
		shown: (call, place) => void known.set(call, {place, at: made.length}),
		isAsShown(call, {real, sha256}) {
			const preview = known.get(call);
			if (preview === undefined) return true;
			if (preview.place?.real !== real) return false;
			let expected = preview.place.sha256;
			for (const {before, after} of made.slice(preview.at))
				if (before.real === real && before.sha256 === expected) expected = after;
			return expected === sha256;
		},
		changed: (before, after) => void made.push({before, after}),
	};
}
