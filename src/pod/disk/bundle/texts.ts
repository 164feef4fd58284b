import {t} from '../../../language/index.ts';

/** The sentences about problems of a bundle. */
export const bundleTexts = {
	cutOff: t`It is cut off: the end of the archive is missing.`,
	trailing: t`There are bytes after its last file.`,
	tooLarge: t`It contains more than 4 GB.`,
	largeZipped: t`It is too large to read while it is compressed. Unpack it with gunzip, and read the .tar file.`,
	badGzip: t`Its compressed bytes are damaged.`,
	noManifest: t`It has no manifest, so it is not a bundle of inkpod.`,
	badManifest: t`The manifest cannot be read.`,
	changedManifest: t`The manifest and manifest.sha256 differ: one of them was changed.`,
	missing: t`The manifest names this file, but the bundle does not contain it.`,
	unnamed: t`The manifest does not name this file.`,
	changed: t`This file was changed: it differs from its hash in the manifest.`,
	badHeader: (at: number) => t`The header at byte ${at} was changed, or the file is not a tar archive.`,
	padding: (name: string) => t`There are bytes between ${name} and the next file.`,
	notRegular: (name: string) => t`${name} is not a regular file. A bundle contains no links and no folders.`,
	badName: (name: string) => t`The name ${JSON.stringify(name.slice(0, 200))} is not allowed in a bundle.`,
	repeated: (name: string) => t`It contains ${name} twice.`,
	tooMany: (most: number) => t`It contains more than ${most} files.`,
} as const;
