import {memo, type ReactElement} from 'react';
import {systemWords} from '../fold/system-title.ts';
import {BlockRows, type BlockProps} from './block-rows.tsx';
import {isSameBlock} from './same-block.ts';

/** What was given to the model: a file, a file that was read again, a workflow with its knowledge, a command with its output. */
export const SystemBlock = memo(function SystemBlock({block, rows, isContinued}: BlockProps<'system'>): ReactElement {
	return <BlockRows rows={rows} isContinued={isContinued} label={() => ({title: systemWords(block)})} />;
}, isSameBlock);
