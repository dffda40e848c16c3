"""Below 600 px: the control in use and the line of arithmetic stay where the change is seen."""

import pytest
from explorer_page import VIEW, page_of
from explorer_state import CLASSES

# Use each control, then go to each number that changed: is the control still in sight, and no more
# than a screen away? Gives what is not.
OUT_OF_SIGHT = """async () => {
  const view = document.querySelector(".attn-view");
  const all = (selector) => [...view.querySelectorAll(selector)].filter((n) => n.checkVisibility());
  const stateOf = (n) => n.dataset.value ?? n.innerHTML;
  const shown = () => new Map(all("[data-name], svg").map((n) => [n, stateOf(n)]));
  const inWindow = (node) => {
    const { top, bottom } = node.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  };
  const settle = () => new Promise((done) => setTimeout(done));
  const lost = [];
  let seen = 0;
  for (const control of all(":is(input[type=range], input[type=checkbox], select)")) {
    const before = shown();
    control.focus({ preventScroll: true });
    if (control.type === "checkbox") control.click();
    else if (control.options) control.selectedIndex = (control.selectedIndex + 1) % control.length;
    else if (control.value === control.max) control.stepDown();
    else control.stepUp();
    control.dispatchEvent(new Event(control.options ? "change" : "input", { bubbles: true }));
    await settle();
    const box = control.closest(".attn-control, .attn-check");
    for (const [place, old] of before) {
      if (stateOf(place) === old || box.contains(place) || !place.checkVisibility()) continue;
      seen += 1;
      place.scrollIntoView({ block: "center" });
      await settle();
      const said = [box, view.querySelector(".attn-formula")].filter((n) => n?.checkVisibility());
      for (const node of said.filter((n) => !inWindow(n))) {
        lost.push([control.name, place.dataset.name ?? "picture", node.className]);
      }
    }
  }
  return { lost, seen };
}"""


@pytest.mark.parametrize("name", CLASSES)
def test_the_control_in_use_and_the_arithmetic_stay_in_sight(name, page_at):
    explorer = CLASSES[name]()
    with page_at(page_of(explorer.to_html()), width=360) as (page, record):
        page.set_viewport_size({"width": 360, "height": 640})
        page.locator(VIEW).wait_for()
        found = page.evaluate(OUT_OF_SIGHT)
        assert found["seen"]
        assert found["lost"] == []
        assert record.complaints == []
    explorer.close()


IN_SIGHT = """things => things.flatMap((thing, k) => {
  const { left, right } = thing.getBoundingClientRect();
  const strip = thing.parentElement.getBoundingClientRect();
  return left < strip.right - 20 && right > strip.left + 20 ? [k] : [];
})"""


def test_matrices_stand_one_at_a_time_and_a_button_leads_to_the_next(page_at):
    explorer = CLASSES["projection"]()
    with page_at(page_of(explorer.to_html()), width=360) as (page, _):
        strip = page.locator(".attn-strip").last
        things = strip.locator(".attn-matrices > *")
        count = things.count()
        assert count > 2
        assert things.evaluate_all(IN_SIGHT) == [0]
        after, before = strip.locator(".attn-after"), strip.locator(".attn-before")
        assert before.is_disabled()
        after.click()
        page.wait_for_function(
            f"things => ({IN_SIGHT})(things)[0] === 1", arg=things.element_handles()
        )
        assert things.evaluate_all(IN_SIGHT) == [1]
        assert strip.locator(".attn-place").inner_text() == f"2 of {count}"
        before.click()
        page.wait_for_function(
            f"things => ({IN_SIGHT})(things)[0] === 0", arg=things.element_handles()
        )
        assert things.evaluate_all(IN_SIGHT) == [0]
    explorer.close()
