import type {ReplayPlace} from '../../pod/index.ts';

/** Returns the line in place of the composer: the place, and the keys. */
export function replayLine({shown, total, at, isPlaying}: ReplayPlace): string {
	const time = at === undefined ? '' : ` · ${at.slice(0, 19).replace('T', ' ')}`;
	const state = isPlaying ? 'Space pause' : 'Space play';
	const keys = [state, '←/→ item', '[/] request', ',/. second', 'Home/End', 'c context', 'q quit'];
	return `${shown}/${total}${time} · ${keys.join(' · ')}`;
}

export function noSuchItem(item: string): string {
	return `No item of this session begins with "${item}". Find ids in an export to Markdown or JSON.`;
}

export function severalItems(item: string): string {
	return `Several items of this session begin with "${item}". Use more characters of the id.`;
}
