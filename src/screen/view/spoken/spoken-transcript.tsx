import {Static, Text} from 'ink';
import {createContext, use, type ReactElement} from 'react';
import {useStore} from 'zustand';
import type {StoreApi} from 'zustand/vanilla';
import {useRows} from '../hooks/use-frame.ts';
import {BlockView} from '../transcript/block-view.tsx';
import {SpokenRows} from '../transcript/block-view.tsx';
import type {Entry} from './reading.ts';

/** The texts that a screen reader reads once. The list only grows. */
export type SpokenLog = StoreApi<readonly Entry[]>;

export const SpokenLogContext = createContext<SpokenLog | undefined>(undefined);

/**
Shows the session for a screen reader. New text is written once and stays in the terminal. An open page is below the
text.
*/
export function SpokenTranscript(): ReactElement {
	const log = use(SpokenLogContext);
	if (log === undefined) throw new Error('SpokenTranscript needs a SpokenLogContext');
	const entries = useStore(log);
	const page = useRows(({page}) => page);
	return (
		<>
			<Static items={[...entries]}>{(entry, index) => <SpokenEntry key={index} entry={entry} />}</Static>
			<SpokenRows rows={page} whole />
		</>
	);
}

function SpokenEntry({entry}: {readonly entry: Entry}): ReactElement {
	return 'text' in entry ? <Text>{entry.text}</Text> : <BlockView {...entry} />;
}
