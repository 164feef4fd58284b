import {describe, expect, it} from 'vitest';
import {gitProject} from '../helpers/git-cell.ts';

/** A project with three branches, and another repository beside it with branches of the same names. */
const begin = `git init -q && git commit -q --allow-empty -m p && git branch loose && git branch packed
git init -q ../other && git -C ../other commit -q --allow-empty -m o
git -C ../other branch packed && git -C ../other pack-refs --all
git -C ../other branch loose && mkdir -p ../other/.git/refs/inkpod && sleep 0.1`;

describe('a link that leads to the references of another repository', () => {
	it.each([
		['refs', 'rm .git/refs; mkdir -p .git/refs/heads'],
		['refs/heads', 'rm .git/refs/heads; mkdir .git/refs/heads'],
		['refs/inkpod', ''],
		['packed-refs', ''],
	])('is not followed at %s', async (link, unlink) => {
		const {outside, inside} = gitProject(begin);
		outside(`rm -rf .git/${link}; ln -s "$(realpath ../other/.git/${link})" .git/${link}; sleep 0.1`);
		const others = () => outside('git -C ../other for-each-ref');
		const before = others();
		await inside(
			`C=$(git commit-tree -m made "$(git hash-object -t tree -w /dev/null)"); ${unlink}
			echo "$C" > .git/refs/heads/main; echo "$C" > .git/refs/heads/loose; rm -f .git/refs/heads/packed`,
			() => void (link === 'refs/inkpod' && outside('git branch -f loose $(git commit-tree -m x HEAD^{tree})')),
		);
		expect(others()).toBe(before);
	});
});

describe('a link to the folder of packs', () => {
	it.each(['git gc -q', 'git repack -qad; git prune-packed'])('loses no object to %s', async command => {
		const {outside, inside} = gitProject('git init -q && git commit -q --allow-empty -m p');
		outside('mkdir ../packs; rm -rf .git/objects/pack; ln -s "$(realpath ../packs)" .git/objects/pack; sleep 0.1');
		await inside(`rm .git/objects/pack; mkdir .git/objects/pack; ${command}`);
		expect(outside('git fsck --full && git log --format=%s')).toContain('p');
	});
});
