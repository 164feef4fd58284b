/** What is wrong with a bundle. */
export const bundleTexts = {
	cutOff: 'It is cut off: the end of the archive is missing.',
	trailing: 'There are bytes after its last file.',
	tooLarge: 'It contains more than 4 GB.',
	badGzip: 'Its compressed bytes are damaged.',
	noManifest: 'It has no manifest, so it is not a bundle of inkpod.',
	badManifest: 'The manifest cannot be read.',
	changedManifest: 'The manifest and manifest.sha256 differ: one of them was changed.',
	missing: 'The manifest names this file, but the bundle does not contain it.',
	unnamed: 'The manifest does not name this file.',
	changed: 'This file was changed: it differs from its hash in the manifest.',
	badHeader: (at: number) => `The header at byte ${at} was changed, or the file is not a tar archive.`,
	padding: (name: string) => `There are bytes between ${name} and the next file.`,
	notRegular: (name: string) => `${name} is not a regular file. A bundle contains no links and no folders.`,
	badName: (name: string) => `The name ${JSON.stringify(name.slice(0, 200))} is not allowed in a bundle.`,
	repeated: (name: string) => `It contains ${name} twice.`,
	tooMany: (most: number) => `It contains more than ${most} files.`,
} as const;
