const words =
	'a wide field of small stones lies open under the slow grey morning while two people walk along its edge and count what the night has left behind one names each thing aloud and the other writes it down so that nothing seen goes missing before noon then they turn back and read the list again from its first line'.split(
		' ',
	);

/**
`count` pieces of a markdown document, as a model would stream it: headings, prose, lists, code. The same each time.
*/
export function markdownTokens(count) {
	const tokens = [];
	for (let section = 1; tokens.length < count; section++)
		tokens.push(...(markdownSection(section).match(/\s?\w{1,6}|\s?[^\w\s]{1,3}|\s+/gu) ?? []));
	return closed(tokens.slice(0, count));
}

/**
What a person asks and what the answer is in turn `turn` of a generated session. The last words of the answer are
`code<turn>`.
*/
export function turnTexts(turn) {
	return {
		question: `Question ${turn}: ${phrase(turn, 12)}?`,
		answer: `Answer ${turn}: ${phrase(turn + 3, 24)}.\n\n- ${phrase(turn + 5, 6)}\n- **${phrase(turn + 7, 3)}**\n\n\`\`\`ts\nconst value = step(${turn});\n\`\`\`\n\nSee \`code${turn}\`.`,
	};
}

function markdownSection(number) {
	const list = Array.from({length: 4}, (_, item) => `- ${phrase(number * 11 + item, 9)}\n`).join('');
	const code = Array.from(
		{length: 6},
		(_, line) => `\tconst ${words[line]}${number} = measure(${line}, "${phrase(line, 3)}");\n`,
	).join('');
	return `## ${number}. ${phrase(number, 4)}\n\n${phrase(number * 7, 50)}, with **${phrase(number, 2)}** and \`name${number}()\`.\n\n${list}\n\`\`\`ts\nfunction step${number}() {\n${code}}\n\`\`\`\n\n`;
}

function phrase(start, length) {
	return Array.from({length}, (_, index) => words[(start + index * 7) % words.length]).join(' ');
}

// A document that is cut inside of a code block ends it.
function closed(tokens) {
	const fences = tokens.join('').split('```').length - 1;
	return fences % 2 === 0 ? tokens : [...tokens.slice(0, -1), '\n```'];
}
