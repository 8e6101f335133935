"""Optional content of uploads: each layer becomes one that is shown, or one that is hidden (ISO 32000-2, 8.11).

Readers evaluate visibility expressions, usage and automatic states differently. The state of each layer on opening is
therefore computed once. Two simple layers remain, which a reader cannot toggle.
"""

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, String

_MAX_DEPTH = 20
_LAYERS = "layers whose state depends on the reader"
_VIEW = {"/View"}
_GROUP, _MEMBERSHIP = Name.OCG, Name.OCMD


class Layers:
    """The layers of one PDF. `found` receives what readers evaluate differently."""

    def __init__(self, pdf: Pdf, found: set[str]) -> None:
        self._pdf = pdf
        self._found = found
        properties = pdf.Root.get(Name.OCProperties)
        self._properties: Object = properties if isinstance(properties, Dictionary) else Dictionary()
        config = self._properties.get(Name.D)
        self._config: Object = config if isinstance(config, Dictionary) else Dictionary()
        self._listed = _identifiers(self._properties.get(Name.OCGs))
        self._base = self._config.get(Name.BaseState) != Name.OFF
        self._on = _identifiers(self._config.get(Name.ON))
        self._off = _identifiers(self._config.get(Name.OFF))
        self._viewed = self._identifiers_of_usage()
        self._made: dict[bool, Object] = {}
        self._intents = _names(self._config.get(Name.Intent))
        lists = [self._config.get(key, Array()) for key in (Name.ON, Name.OFF)]
        if (
            Name.Configs in self._properties
            or Name.AS in self._config
            or self._config.get(Name.BaseState, Name.ON) != Name.ON
            or self._intents != _VIEW
            or not all(isinstance(one, Array) and len(_identifiers(one)) == len(one) for one in lists)
        ):
            found.add(_LAYERS)

    def is_layer(self, value: Object | None) -> bool:
        """Returns whether `value` is a layer or a membership of layers."""
        return isinstance(value, Dictionary) and value.get(Name.Type) in {_GROUP, _MEMBERSHIP}

    def simplify(self, holder: Object) -> None:
        """Removes `/OC` of an XObject that is shown. Empties a hidden form; points another one to the hidden layer."""
        layer = holder.get(Name.OC)
        if layer is None:
            return
        if self.is_shown(layer):
            del holder[Name.OC]
        elif isinstance(holder, Stream) and holder.get(Name.Subtype) == Name.Form:
            holder.write(b"")  # some readers draw it although its layer is hidden
            del holder[Name.OC]
        else:
            holder[Name.OC] = self._simple(is_shown=False)

    def simplify_properties(self, resources: Object) -> None:
        """Replaces the layers among the property lists of `resources` by the shown or the hidden one."""
        properties = resources.get(Name.Properties)
        if not isinstance(properties, Dictionary):
            return
        for name, value in list(properties.items()):
            if self.is_layer(value):
                properties[name] = self._simple(is_shown=self.is_shown(value))

    def is_shown(self, layer: Object) -> bool:
        """Returns whether content of `layer`, a group or a membership, is shown on opening."""
        if not isinstance(layer, Dictionary):
            return True
        if layer.get(Name.Type) != _MEMBERSHIP:
            return self._is_on(layer)
        expression = layer.get(Name.VE)
        if expression is not None:
            self._found.add(_LAYERS)
            return self._evaluate(expression, 0)
        groups = layer.get(Name.OCGs)
        listed = list(groups) if isinstance(groups, Array) else [groups]
        states = [self._is_on(group) for group in listed if isinstance(group, Dictionary)]
        policy = str(layer.get(Name.P, Name.AnyOn))
        wanted = policy not in {"/AnyOff", "/AllOff"}
        quantifier = all if policy in {"/AllOn", "/AllOff"} else any
        return not states or quantifier(state is wanted for state in states)

    def write(self) -> None:
        """Writes the properties of the layers that are in use into the catalogue."""
        if Name.OCProperties in self._pdf.Root:
            del self._pdf.Root[Name.OCProperties]
        if not self._made:
            return
        groups = [self._made[state] for state in sorted(self._made, reverse=True)]
        hidden = [self._made[False]] if False in self._made else []
        self._pdf.Root[Name.OCProperties] = Dictionary(
            OCGs=Array(groups),
            D=Dictionary(
                Name=String("Layers"), BaseState=Name.ON, OFF=Array(hidden), Locked=Array(groups), Order=Array()
            ),
        )

    def _simple(self, *, is_shown: bool) -> Object:
        if is_shown not in self._made:
            title = "Shown" if is_shown else "Hidden"
            self._made[is_shown] = self._pdf.make_indirect(Dictionary(Type=_GROUP, Name=String(title)))
        return self._made[is_shown]

    def _is_on(self, group: Object) -> bool:
        intents, key = _names(group.get(Name.Intent)), group.objgen
        if intents != _VIEW or key not in self._listed:
            self._found.add(_LAYERS)
        if "/All" not in self._intents and not intents & self._intents:
            return True  # a group for another purpose than viewing has no effect
        if key in self._viewed:
            return self._viewed[key]
        return key not in self._off if self._base else key in self._on

    def _identifiers_of_usage(self) -> dict[tuple[int, int], bool]:
        """Returns the states of groups that change when the file is opened to be viewed."""
        states: dict[tuple[int, int], bool] = {}
        listed = self._config.get(Name.AS)
        for usage in listed if isinstance(listed, Array) else ():
            if not isinstance(usage, Dictionary) or usage.get(Name.Event) != Name.View:
                continue
            groups = usage.get(Name.OCGs)
            for group in groups if isinstance(groups, Array) else ():
                state = _view_state(group) if "/View" in _names(usage.get(Name.Category)) else None
                if state is not None:
                    states[group.objgen] = state
        return states

    def _evaluate(self, expression: Object, depth: int) -> bool:
        if isinstance(expression, Dictionary):
            return self._is_on(expression)
        if not isinstance(expression, Array) or len(expression) < 2 or depth > _MAX_DEPTH:
            return True
        states = [self._evaluate(expression[place], depth + 1) for place in range(1, len(expression))]
        match str(expression[0]):
            case "/Not":
                return not states[0]
            case "/Or":
                return any(states)
        return all(states)


def _identifiers(listed: Object | None) -> set[tuple[int, int]]:
    return {group.objgen for group in listed if isinstance(group, Dictionary)} if isinstance(listed, Array) else set()


def _names(value: Object | None) -> set[str]:
    """Returns the names in an array, or the single name; `/View` if there is none."""
    return {str(name) for name in value} if isinstance(value, Array) else {str(value or Name.View)}


def _view_state(group: Object) -> bool | None:
    value: Object | None = group
    for key in (Name.Usage, Name.View, Name.ViewState):
        value = value.get(key) if isinstance(value, Dictionary | Stream) else None
    return None if value is None else value != Name.OFF
