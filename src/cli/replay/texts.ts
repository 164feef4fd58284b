import {t} from '../../language/index.ts';
import type {ReplayPlace} from '../../pod/index.ts';

/** Returns the line that replaces the composer: the position and the keys. */
export function replayLine({shown, total, at, isPlaying}: ReplayPlace): string {
	const time = at === undefined ? '' : ` · ${at.slice(0, 19).replace('T', ' ')}`;
	const state = isPlaying ? t`Space pause` : t`Space play`;
	const keys = [state, t`←/→ item`, t`[/] request`, t`,/. second`, t`Home/End`, t`c context`, t`q quit`];
	return `${shown}/${total}${time} · ${keys.join(' · ')}`;
}

export function noSuchItem(item: string): string {
	return t`No item of this session begins with "${item}". Find ids in an export to Markdown or JSON.`;
}

export function severalItems(item: string): string {
	return t`Several items of this session begin with "${item}". Use more characters of the id.`;
}
