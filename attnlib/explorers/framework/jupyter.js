// What keeps an explorer alive in a notebook that is saved, closed and opened without its kernel:
// JupyterLab shows no other form of an output whose widget it does not find, and saves the state of
// widgets only where a setting says so. A page has no use for this.

const STATE = "application/vnd.jupyter.widget-state+json";

/**
 * anywidget's hook for a new model: from now on the notebook keeps the state of its widgets. Other
 * places than JupyterLab and Jupyter Notebook have no such manager, and take care of it themselves.
 * @param {{model: any}} parts
 */
export function initialize({ model }) {
  const manager = model.widget_manager;
  const { saveState, model: notebook } = manager?.context ?? {};
  if (!saveState || !notebook?.setMetadata) return;
  let kept = notebook.getMetadata("widgets")?.[STATE]?.state;

  // Models that came with the file and have no kernel stay as they were; of all, those that an
  // output shows are kept, and those that they refer to.
  /** @param {unknown} _ @param {string} phase */
  function keep(_, phase) {
    if (phase !== "started") return;
    const now = manager.get_state_sync({ drop_defaults: true });
    const known = { ...kept, ...now.state };
    kept = {};
    const follow = (/** @type {string} */ text) => {
      for (const id in known) {
        if (kept[id] || !text.includes(id)) continue;
        kept[id] = known[id];
        follow(JSON.stringify(known[id]));
      }
    };
    follow(JSON.stringify(notebook.toJSON().cells));
    notebook.setMetadata("widgets", { [STATE]: { ...now, state: kept } });
  }

  // once for all explorers of a notebook
  manager.attnKeeps ??= saveState.connect(keep);
}
