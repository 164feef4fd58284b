/** A file and its content: a real path, and the sha256 of its bytes. `sha256` absent: there is no such file. */
export type FileVersion = {readonly real: string; readonly sha256?: string | undefined};

/** The versions of files that previews were made of, by the arguments of their calls. */
export type Previews = {
	/** A preview of a call was made of this version. `undefined`: it showed that the call would fail. */
	shown(call: object, version: FileVersion | undefined): void;
	/**
	Whether a file is still what the preview of a call was made of, except for changes that inkpod made since. True for
	a call without a preview.
	*/
	isAsShown(call: object, version: FileVersion): boolean;
	/** inkpod changed the file; `after` is the sha256 of its new bytes. */
	changed(before: FileVersion, after: string): void;
};

/** `changesBefore`: how many of the changes were made before the preview. */
type Preview = {readonly version: FileVersion | undefined; readonly changesBefore: number};

export function createPreviews(): Previews {
	const previews = new WeakMap<object, Preview>();
	const changes: Array<{readonly before: FileVersion; readonly after: string}> = [];
	return {
		shown: (call, version) => void previews.set(call, {version, changesBefore: changes.length}),
		isAsShown(call, {real, sha256}) {
			const preview = previews.get(call);
			if (preview === undefined) return true;
			if (preview.version?.real !== real) return false;
			let expected = preview.version.sha256;
			for (const {before, after} of changes.slice(preview.changesBefore))
				if (before.real === real && before.sha256 === expected) expected = after;
			return expected === sha256;
		},
		changed: (before, after) => void changes.push({before, after}),
	};
}
