import {createHash} from 'node:crypto';
import {trustTexts} from './texts.ts';

/** The subject of a trust question: its kind and name, for example `workflow` and `review`. */
export type TrustSubject = {readonly kind: string; readonly name: string};

/** One file or other text that the user can trust. */
export type TrustContent = {readonly name: string; readonly text: string};

/** Returns the hash of names and texts in order, in hex. The user's trust applies to this hash. */
export function hashContents(contents: readonly TrustContent[]): string {
	return createHash('sha256')
		.update(JSON.stringify(contents.map(({name, text}) => [name, text])))
		.digest('hex');
}

/**
Returns the details of a trust question: all contents, or the changes since the trusted version. The details are
untrusted text.
*/
export async function trustDetail(
	contents: readonly TrustContent[],
	earlier: readonly TrustContent[] | undefined,
): Promise<string> {
	if (earlier === undefined) return contents.map(fullText).join('\n\n');
	const before = new Map(earlier.map(({name, text}) => [name, text]));
	const after = new Set(contents.map(({name}) => name));
	const gone = earlier.filter(({name}) => !after.has(name)).map(({name}) => trustTexts.removed(name));
	const changes = await Promise.all(contents.map(async content => changeOf(content, before.get(content.name))));
	return [trustTexts.changes, ...changes, ...gone].join('\n\n');
}

function fullText({name, text}: TrustContent): string {
	return trustTexts.whole(name, text.trimEnd());
}

/**
The maximum number of milliseconds of a comparison. If a comparison takes longer, the texts are too different for a
diff.
*/
const diffTimeout = 500;

async function changeOf(content: TrustContent, before: string | undefined): Promise<string> {
	if (before === undefined) return trustTexts.added(content.name, content.text.trimEnd());
	if (before === content.text) return trustTexts.unchanged(content.name);
	const {createTwoFilesPatch} = await import('diff');
	const patch = createTwoFilesPatch('trusted', 'current', before, content.text, undefined, undefined, {
		context: 3,
		timeout: diffTimeout,
	});
	if (patch === undefined) return trustTexts.tooManyChanges(content.name, content.text.trimEnd());
	// The patch begins with a line of equals signs and the two names, which are not needed here.
	return `${content.name}:\n${patch
		.split('\n')
		.filter((line, index) => index > 2 || !/^(?:=+|--- .*|\+\+\+ .*)$/.test(line))
		.join('\n')
		.trimEnd()}`;
}
