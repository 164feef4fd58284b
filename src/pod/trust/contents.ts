import {createHash} from 'node:crypto';

/** What trust is asked for: a kind of thing and its name, `workflow` and `review`. */
export type TrustSubject = {readonly kind: string; readonly name: string};

/** One file, or another text, of what is to be trusted. */
export type TrustContent = {readonly name: string; readonly text: string};

/** What trust is bound to: names and texts, in their order. Hex. */
export function hashOf(contents: readonly TrustContent[]): string {
	return createHash('sha256')
		.update(JSON.stringify(contents.map(({name, text}) => [name, text])))
		.digest('hex');
}

/**
The whole of what is asked about: each content, or where there is an earlier version that was trusted, each change.
Untrusted text.
*/
export async function trustDetail(
	contents: readonly TrustContent[],
	earlier: readonly TrustContent[] | undefined,
): Promise<string> {
	if (earlier === undefined) return contents.map(whole).join('\n\n');
	const before = new Map(earlier.map(({name, text}) => [name, text]));
	const after = new Set(contents.map(({name}) => name));
	const gone = earlier.filter(({name}) => !after.has(name)).map(({name}) => `${name}: no longer part of it`);
	const changes = await Promise.all(contents.map(async content => changeOf(content, before.get(content.name))));
	return ['What has changed since you trusted it:', ...changes, ...gone].join('\n\n');
}

function whole({name, text}: TrustContent): string {
	return `${name}:\n${text.trimEnd() === '' ? '(empty)' : text.trimEnd()}`;
}

/** Milliseconds after which two texts are too different to be compared. */
const diffTimeout = 500;

async function changeOf(content: TrustContent, before: string | undefined): Promise<string> {
	if (before === undefined) return `${content.name} is new:\n${content.text.trimEnd()}`;
	if (before === content.text) return `${content.name}: as it was`;
	const {createTwoFilesPatch} = await import('diff');
	const patch = createTwoFilesPatch('as you trusted it', 'as it is now', before, content.text, undefined, undefined, {
		context: 3,
		timeout: diffTimeout,
	});
	if (patch === undefined)
		return `${content.name} has changed in too many places to show them one by one; as it is now:\n${content.text.trimEnd()}`;
	// Behind a line of equals signs and the two names, which say nothing here.
	return `${content.name}:\n${patch
		.split('\n')
		.filter((line, index) => index > 2 || !/^(?:=+|--- .*|\+\+\+ .*)$/.test(line))
		.join('\n')
		.trimEnd()}`;
}
