/** A file version: a real path and the sha256 of the contents. `sha256` is absent if the file does not exist. */
export type FileVersion = {readonly real: string; readonly sha256?: string | undefined};

/** The file versions of previews, by the arguments of their calls. */
export type Previews = {
	/** Records the version that a preview showed. `undefined` means that the preview showed a failure of the call. */
	shown(call: object, version: FileVersion | undefined): void;
	/**
	Tells whether a file still has the previewed contents, except for later changes by inkpod. The result is true for a
	call without a preview.
	*/
	isAsShown(call: object, version: FileVersion): boolean;
	/** Records a change by inkpod. `after` is the sha256 of the new contents. */
	changed(before: FileVersion, after: string): void;
};

/** A preview. `changesBefore` is the number of changes before it. */
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
